import t from 'tap';
import type { MotionTrack } from '#language/schema/animation.ts';
import type { Template } from '#language/schema/template.ts';
import { edit } from '../../src/studio/state/list-items.ts';
import { movementOf, setMovementEnd } from '../../src/studio/canvas/motion/movement.ts';
import {
  dragSpan,
  secondsMost,
  setSeconds,
  setSpan,
} from '../../src/studio/canvas/motion/times.ts';
import { addTrack, motionOf, movesOf } from '../../src/studio/state/motion.ts';
import type { Motion } from '../../src/studio/state/motion.ts';
import { rect, stack, template, text, valid } from './built-layers.ts';

const box = { x: 20, y: 10 };

function moving(tracks: readonly object[] | undefined, seconds = 2): Template {
  const layers = [
    rect('a', { ...box, fill: '#ff0000' }),
    text('words', 'Words', { ...box, width: 40, height: 20 }),
    stack('s', [rect('in')], { x: 0, y: 100 }),
  ];
  const animation = { type: 'motion', seconds, tracks };
  return template(layers, tracks === undefined ? {} : { animation });
}

/** The motion of a template that must have one. */
function motionIn(document: Template): Motion {
  const motion = motionOf(document);
  if (motion === undefined) throw new Error('no motion');
  return motion;
}

t.test('a track gets what the service takes of its layer', async (t) => {
  const whole = moving(undefined);
  t.same(movesOf(whole, 'a'), ['x', 'y', 'opacity', 'scale', 'rotation', 'fill']);
  t.same(movesOf(whole, 'words'), ['x', 'y', 'opacity', 'scale', 'rotation', 'fill', 'typed']);
  t.same(movesOf(whole, 's'), ['x', 'y', 'opacity', 'rotation'], 'a stack');
  t.same(movesOf(whole, 'in'), ['opacity', 'rotation'], 'a layer of a stack');
  t.same(movesOf(whole, 'gone'), []);
  for (const id of ['a', 'words', 's', 'in']) {
    for (const property of movesOf(whole, id)) {
      const draft = structuredClone(whole);
      t.ok(addTrack(draft, id, property, 0.5));
      t.match(valid(draft).animation, { tracks: [{ layer: id, property, start: 0.5 }] });
    }
  }
});

t.test('a layer that goes, or comes into a stack, takes its tracks along', async (t) => {
  const tracks = [
    { layer: 'a', property: 'x', from: 0 },
    { layer: 'a', property: 'opacity', from: 0 },
  ];
  const stacked = edit(moving(tracks), (draft) => {
    const [layer] = draft.layers.splice(0, 1);
    const last = draft.layers[1];
    if (layer === undefined || last?.type !== 'stack') throw new Error('no stack');
    const { x: _x, y: _y, ...inside } = layer;
    last.layers.push(inside);
  });
  t.match(valid(stacked.document).animation, { tracks: [{ property: 'opacity' }] });
  t.equal(motionIn(stacked.document).tracks.length, 1);
  const gone = edit(moving(tracks), (draft) => void draft.layers.splice(0, 1));
  t.notOk('animation' in valid(gone.document));
});

t.test('a bar snaps to frames and stays in the motion', async (t) => {
  // Eleven frames: 0, 0.2 … 2 s.
  const motion: Motion = { type: 'motion', seconds: 2, framesPerSecond: 5.5, tracks: [] };
  const drag = (part: 'whole' | 'start' | 'end', by: number, isFree = false) =>
    dragSpan([0.4, 1], part, by, motion, isFree);
  t.same(drag('whole', 0.27), [0.6, 1.2]);
  t.same(drag('whole', 9), [1.4, 2]);
  t.same(drag('whole', -9), [0, 0.6]);
  t.same(drag('start', 0.33), [0.8, 1]);
  t.same(drag('start', 9), [1, 1], 'not beyond its end');
  t.same(drag('end', 9), [0.4, 2]);
  t.same(drag('end', -9), [0.4, 0.4]);
  t.same(drag('end', 0.034, true), [0.4, 1.03], 'free of frames');
  const track: MotionTrack = { layer: 'a', property: 'x', start: 1, end: 1.5 };
  setSpan(track, [0, 2], motion);
  t.same(track, { layer: 'a', property: 'x' }, 'the whole motion is the default');
});

t.test('a motion has a length that the service takes', async (t) => {
  const whole = moving([{ layer: 'a', property: 'x', start: 1, end: 1.8 }]);
  const before = motionIn(whole);
  setSeconds(whole, before, 1.2);
  t.match(valid(whole).animation, { seconds: 1.2, tracks: [{ start: 1 }] });
  t.notOk('end' in (motionIn(whole).tracks[0] ?? {}));
  setSeconds(whole, before, 0.5);
  t.match(valid(whole).animation, { tracks: [{ start: 0.5 }] });
  t.equal(secondsMost(whole, before), 12, '120 frames');
  const large = { ...whole, width: 4000, height: 2500 };
  t.equal(secondsMost(large, before), 1, 'ten frames of 10 megapixels');
});

t.test('a movement has two ends, and gets a track for another direction', async (t) => {
  const whole = moving([{ layer: 'a', property: 'x', from: -60, start: 0.5 }]);
  const movement = (): unknown => {
    const [layer] = whole.layers;
    return layer === undefined ? undefined : movementOf(motionIn(whole), layer);
  };
  t.same(movement(), { from: { x: -80, y: 0 }, to: { x: 0, y: 0 } });
  setMovementEnd(whole, 'a', 'to', { x: 30, y: 12 });
  t.same(movement(), { from: { x: -80, y: 0 }, to: { x: 30, y: 12 } });
  t.same(motionIn(valid(whole)).tracks, [
    { layer: 'a', property: 'x', from: -60, start: 0.5, to: 50 },
    { layer: 'a', property: 'y', start: 0.5, to: 22 },
  ]);
  setMovementEnd(whole, 'a', 'from', { x: 0, y: 0 });
  t.notOk('from' in (motionIn(whole).tracks[0] ?? {}), 'as designed');
});
