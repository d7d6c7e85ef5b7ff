/** The banners that the peers draw, as boxes with CSS styles, with their fonts and images. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headline, headlineOf } from '../harness/headline-banner.ts';
import type { Banner } from '../harness/values.ts';

export const banner = { width: 1200, height: 630, quality: 85 } as const;

/** The values that differ between images. `photo` is an image file; without one, the template's photo is used. */
export interface BannerValues {
  template: Banner;
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

/** The package, the name in its files and the weights of each bundled family that a banner or a name needs. */
const families = [
  ['Fraunces', 'fraunces', 'Fraunces', [300, 700]],
  ['Inter', 'inter', 'Inter', [400, 600, 700]],
  ['Noto Sans', 'noto-sans', 'NotoSans', [700]],
  ['Noto Sans Arabic', 'noto-sans-arabic', 'NotoSansArabic', [700]],
  ['Noto Sans Hebrew', 'noto-sans-hebrew', 'NotoSansHebrew', [700]],
  ['Noto Sans Devanagari', 'noto-sans-devanagari', 'NotoSansDevanagari', [700]],
  ['Noto Sans Thai', 'noto-sans-thai', 'NotoSansThai', [700]],
  ['Noto Sans JP', 'noto-sans-jp', 'NotoSansJP', [700]],
  ['Noto Sans SC', 'noto-sans-sc', 'NotoSansSC', [700]],
  ['Noto Sans TC', 'noto-sans-tc', 'NotoSansTC', [700]],
  ['Noto Sans KR', 'noto-sans-kr', 'NotoSansKR', [700]],
] as const;
const weightNames = {
  300: 'Light',
  400: 'Regular',
  600: 'SemiBold',
  700: 'Bold',
  800: 'ExtraBold',
} as const;

/** The file of a weight of a family: the name of its package and the name in its files. */
export function fontFile(folder: string, file: string, weight: keyof typeof weightNames): string {
  const name = `${weight}${weightNames[weight]}`;
  return join(fontFolder, folder, name, `${file}_${name}.ttf`);
}

/** The font files of all scripts, as the service bundles them. */
export const fonts = families.flatMap(([family, folder, file, weights]) =>
  weights.map((weight) => ({ family, weight, path: fontFile(folder, file, weight) })),
);

/** A CSS list of families: the first, then those of other scripts. */
export function familiesOf(first: string): string {
  const others = families.map(([family]) => family).filter((family) => family !== first);
  return [first, ...others].map((family) => `'${family}'`).join(', ');
}

/**
 * Font size of a name in `welcome-banner`. The service shrinks a name until it fits; a peer gets the size from the
 * number of letters, which costs it no time.
 */
export function nameSizeOf(name: string): number {
  const letters = Array.from(name.replaceAll(/\p{M}/gu, '')).length;
  return Math.min(76, Math.max(30, Math.round(620 / (0.56 * letters))));
}

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

/** A banner for engines with CSS, from back to front; lengths are pixels. */
export function bannerBoxes(template: Banner, name: string): StyledBox[] {
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
    ...(template === 'headline-banner' ? headlineBoxes(name) : welcomeBoxes(name)),
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

function welcomeBoxes(name: string): StyledBox[] {
  const style = { fontFamily: familiesOf('Fraunces'), letterSpacing: -1.2, color: '#ffffff' };
  return [
    {
      text: 'Welcome aboard,',
      style: { ...line(72, 212, 620, 85.12), ...style, fontSize: 76, fontWeight: 300 },
    },
    {
      text: name,
      style: {
        ...line(72, 297.12, 620, 85.12),
        ...style,
        fontSize: nameSizeOf(name),
        fontWeight: 700,
      },
    },
  ];
}

function headlineBoxes(name: string): StyledBox[] {
  const { x, y, width, height, fontSize, lineHeight } = headline;
  return [
    {
      text: headlineOf(name),
      style: {
        ...at(x, y, width, height),
        fontFamily: familiesOf('Fraunces'),
        fontWeight: 700,
        fontSize,
        lineHeight: `${fontSize * lineHeight}px`,
        color: '#ffffff',
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
