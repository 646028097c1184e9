import test from 'ava';
import { FairQueue } from '../../core/model/fair-queue.js';
import { LoopTurns } from '../../core/model/loop-turns.js';
import { gate } from '../helpers/gate.js';

/** Turns whose rounds the test begins, and the pieces that have begun. */
function scene() {
  const began: string[] = [];
  const rounds: (() => void)[] = [];
  const turns = new LoopTurns((round) => void rounds.push(round));
  const piece = async (realm: string) => {
    await turns.waitForTurn(realm);
    began.push(realm);
  };
  const round = async () => {
    for (const next of rounds.splice(0)) next();
    await Promise.resolve();
    return began.splice(0);
  };
  return { turns, piece, round, began: () => began.splice(0), rounds };
}

test('loop turns: a realm begins one piece of work in a round, and the first at once', async (t) => {
  const { piece, round, began, rounds } = scene();
  const all = ['much', 'much', 'much', 'little', 'third'].map(piece);
  await Promise.resolve();
  t.deepEqual(began(), ['much', 'little']);
  t.deepEqual(await round(), ['much', 'third']);
  t.deepEqual(await round(), ['much']);
  t.deepEqual(await round(), []);
  await Promise.all(all);
  t.is(rounds.length, 0, 'nothing is scheduled without work');
});

test('loop turns: realms that wait have their turn one after the other', async (t) => {
  const { piece, round, began } = scene();
  for (const realm of ['a', 'b', 'c']) for (let n = 0; n < 3; n += 1) void piece(realm);
  await Promise.resolve();
  t.deepEqual(began(), ['a', 'b']);
  t.deepEqual(
    [await round(), await round(), await round(), await round()],
    [['a', 'b'], ['c', 'a'], ['b', 'c'], ['c']],
  );
});

test('loop turns: where too many pieces of a realm wait it is refused, and another one is not', async (t) => {
  const { turns, piece } = scene();
  for (let n = 0; n < 2001; n += 1) void piece('much');
  const refused = { code: 'temporarily_unavailable', message: /too many requests of the realm are waiting/ };
  const error = await t.throwsAsync(turns.waitForTurn('much') as Promise<void>, refused);
  t.like(error, { status: 503, headers: { 'retry-after': '1' } });
  t.is(turns.waitForTurn('little'), undefined);
});

test('loop turns: a queue runs a bounded number of tasks of one realm, and leaves the other slots to others', async (t) => {
  const queue = new FairQueue({ concurrency: 3, ofOneRealm: 2, limit: 10 });
  const began: string[] = [];
  const gates = new Map<string, ReturnType<typeof gate>>();
  const task = (realm: string, name: string) => {
    const held = gate();
    gates.set(name, held);
    return queue.run(realm, async () => {
      began.push(name);
      await held.opened;
    });
  };
  const all = [task('a', 'a1'), task('a', 'a2'), task('a', 'a3'), task('b', 'b1'), task('b', 'b2')];
  await Promise.resolve();
  t.deepEqual(began, ['a1', 'a2', 'b1']);
  gates.get('b1')?.open();
  await all[3];
  t.deepEqual(began, ['a1', 'a2', 'b1', 'b2']);
  for (const held of gates.values()) held.open();
  await Promise.all(all);
  t.deepEqual(began, ['a1', 'a2', 'b1', 'b2', 'a3']);
});
