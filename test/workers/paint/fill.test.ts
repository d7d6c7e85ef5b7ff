import t from 'tap';
import { paint } from '../../../workers/paint/paint.ts';

t.test('a gradient fills the image at each scale', async (t) => {
  const stops = [
    { offset: 0, color: '#ff0000' },
    { offset: 1, color: '#0000ff' },
  ];
  const background = { gradient: 'linear', stops } as const;
  // Large enough to be cached.
  const list = { width: 400, height: 300, background, items: [] };
  for (const scale of [1, 2, 1] as const) {
    const { data } = paint(list, new Map(), scale);
    const [red = 255, green, blue = 0, alpha] = data.subarray(-4);
    t.same([green, alpha], [0, 255], `scale ${scale}`);
    t.ok(red < 8 && blue > 247, 'the last pixel has the last colour');
  }
});
