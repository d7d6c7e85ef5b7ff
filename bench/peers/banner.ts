/** The banner that every peer draws: the sample `welcome-banner` as boxes with CSS styles, its fonts and its images. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const banner = { width: 1200, height: 630, quality: 85 } as const;

/** The values that differ between images. `photo` is an image file; without one, the template's photo is used. */
export interface BannerValues {
  name: string;
  photo?: Uint8Array;
}

/** One way to draw the banner. `draw` may be called again before the previous call has ended. */
export interface Peer {
  draw(values: BannerValues, format: 'jpeg' | 'png'): Promise<Uint8Array>;
  close?(): Promise<void>;
}

const repository = join(import.meta.dirname, '../..');
const fontFolder = join(repository, 'node_modules/@expo-google-fonts');

/** The typefaces of the banner and of the product card. */
export const fonts = [
  {
    family: 'Fraunces',
    weight: 300,
    path: join(fontFolder, 'fraunces/300Light/Fraunces_300Light.ttf'),
  },
  {
    family: 'Fraunces',
    weight: 600,
    path: join(fontFolder, 'fraunces/600SemiBold/Fraunces_600SemiBold.ttf'),
  },
  {
    family: 'Fraunces',
    weight: 700,
    path: join(fontFolder, 'fraunces/700Bold/Fraunces_700Bold.ttf'),
  },
  { family: 'Inter', weight: 400, path: join(fontFolder, 'inter/400Regular/Inter_400Regular.ttf') },
  {
    family: 'Inter',
    weight: 600,
    path: join(fontFolder, 'inter/600SemiBold/Inter_600SemiBold.ttf'),
  },
  { family: 'Inter', weight: 700, path: join(fontFolder, 'inter/700Bold/Inter_700Bold.ttf') },
] as const;

export const offer = 'Your first night is on us';
export const markPath = 'M17 0 L34 34 H24.5 L17 18.5 L9.5 34 H0 Z';
export const markColor = '#ffb45c';

/** Reads an image file of the sample templates. */
export function imageFile(name: string): Buffer {
  return readFileSync(imagePath(name));
}

export function imagePath(name: string): string {
  return join(repository, 'data/templates/pictures', name);
}

/** The mark above the text, as the file that a web page would use. */
export const markSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="34" height="34" viewBox="0 0 34 34"><path d="${markPath}" fill="${markColor}"/></svg>`;

/** A box with absolute position: a text, an image, or a colour alone. */
export interface StyledBox {
  text?: string;
  image?: 'photo' | 'mark';
  style: Record<string, string | number>;
}

/** The banner for engines with CSS, from back to front; lengths are pixels. */
export function bannerBoxes(name: string): StyledBox[] {
  const welcome = { fontFamily: 'Fraunces', fontSize: 76, letterSpacing: -1.2, color: '#ffffff' };
  const inter = { fontFamily: 'Inter' };
  return [
    { image: 'photo', style: { ...at(0, 0, 1200, 630), objectFit: 'cover' } },
    {
      style: {
        ...at(0, 0, 1200, 630),
        backgroundImage: 'linear-gradient(90deg, #0b1320d9 0%, #0b132099 42%, #0b132000 75%)',
      },
    },
    { image: 'mark', style: at(72, 64, 34, 34) },
    {
      text: 'Northshore Stays',
      style: {
        ...line(122, 66, 420, 34),
        ...inter,
        fontWeight: 600,
        fontSize: 24,
        letterSpacing: 0.4,
        color: '#ffffff',
      },
    },
    {
      text: 'Welcome aboard,',
      style: { ...line(72, 212, 620, 85.12), ...welcome, fontWeight: 300 },
    },
    { text: name, style: { ...line(72, 297.12, 620, 85.12), ...welcome, fontWeight: 700 } },
    {
      text: offer,
      style: {
        ...line(74, 404, 560, 36.4),
        ...inter,
        fontWeight: 400,
        fontSize: 28,
        color: '#e9eef5',
      },
    },
    {
      style: {
        ...at(72, 496, 236, 64),
        borderRadius: 32,
        backgroundColor: '#ffb45c',
        boxShadow: '0px 10px 28px #00000059',
      },
    },
    {
      text: 'Pick your dates',
      style: {
        ...line(72, 496, 236, 64),
        ...inter,
        fontWeight: 600,
        fontSize: 22,
        color: '#3a1d00',
        textAlign: 'center',
      },
    },
  ];
}

function at(left: number, top: number, width: number, height: number): StyledBox['style'] {
  return { position: 'absolute', left, top, width, height };
}

/** One line of text, in the middle of its box. */
function line(left: number, top: number, width: number, height: number): StyledBox['style'] {
  return { ...at(left, top, width, height), lineHeight: `${height}px`, whiteSpace: 'nowrap' };
}
