import * as fc from 'fast-check';
import t from 'tap';
import { placeImage, seenSize } from '../../../workers/layout/image-layer.ts';
import { sourceImage } from '../../helpers/render.ts';

const frame = { x: 10, y: 20, width: 100, height: 50 };

t.test('an image lies in its frame as its fit says', async (t) => {
  const wide = { width: 400, height: 100 };
  const small = { width: 20, height: 10 };
  t.same(placeImage('cover', frame, wide), { x: -40, y: 20, width: 200, height: 50 });
  t.same(placeImage('contain', frame, wide), { x: 10, y: 32.5, width: 100, height: 25 });
  t.same(placeImage('fill', frame, wide), frame);
  t.same(placeImage('none', frame, wide), { x: -140, y: -5, width: 400, height: 100 });
  t.same(placeImage('scale-down', frame, wide), { x: 10, y: 32.5, width: 100, height: 25 });
  t.same(placeImage('scale-down', frame, small), { x: 50, y: 40, width: 20, height: 10 });
});

t.test('the focus comes to the middle as far as no edge is uncovered', async (t) => {
  const wide = { width: 400, height: 100 };
  t.equal(placeImage('cover', frame, wide, 0).x, 10);
  t.equal(placeImage('cover', frame, wide, 0.4).x, -20);
  t.equal(placeImage('cover', frame, wide, 1).x, -90);
});

t.test('the focus aligns an image that is smaller than its frame', async (t) => {
  const tall = { width: 10, height: 100 };
  const small = { width: 20, height: 10 };
  t.equal(placeImage('contain', frame, tall, 0, 0).x, 10);
  t.equal(placeImage('contain', frame, tall).x, 57.5);
  t.equal(placeImage('contain', frame, tall, 1).x, 105);
  t.match(placeImage('none', frame, small, 0, 1), { x: 10, y: 60 });
  t.match(placeImage('scale-down', frame, small, 0.25, 0), { x: 30, y: 20 });
});

t.test('cover leaves no gap, contain and scale-down reach over no edge', async () => {
  const length = fc.double({ min: 0.5, max: 5000, noNaN: true });
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const size = fc.record({ width: length, height: length });
  const near = 1e-6;
  fc.assert(
    fc.property(size, size, part, part, (box, image, focusX, focusY) => {
      const at = { x: 3, y: 4, ...box };
      for (const fit of ['cover', 'contain', 'scale-down', 'none'] as const) {
        const placed = placeImage(fit, at, image, focusX, focusY);
        const ratio = placed.width / image.width;
        const isInside = placed.width <= box.width + near && placed.height <= box.height + near;
        const covers =
          placed.x <= at.x + near &&
          placed.y <= at.y + near &&
          placed.x + placed.width >= at.x + box.width - near &&
          placed.y + placed.height >= at.y + box.height - near;
        if (Math.abs(ratio - placed.height / image.height) > near * ratio) return false;
        if (fit === 'cover' && !covers) return false;
        if ((fit === 'contain' || fit === 'scale-down') && !isInside) return false;
        if ((fit === 'none' || fit === 'scale-down') && ratio > 1 + near) return false;
      }
      return true;
    }),
  );
});

t.test('an image on its side is seen upright', async (t) => {
  const claim = { format: 'jpeg', widthPx: 30, heightPx: 20 } as const;
  const image = await sourceImage(Buffer.from('x'), claim);
  for (const orientation of [1, 2, 3, 4]) {
    t.same(seenSize({ ...image, orientation }), { width: 30, height: 20 });
  }
  for (const orientation of [5, 6, 7, 8]) {
    t.same(seenSize({ ...image, orientation }), { width: 20, height: 30 });
  }
});
