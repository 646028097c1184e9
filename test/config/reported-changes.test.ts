import test from 'ava';
import { addedSentences } from '../../core/config/added-sentences.js';

test('reports of changes: a change reports what it has added, and reads the previous realm only if there is something to report', (t) => {
  const looked: string[] = [];
  const told = (before: string | undefined, after: string) => {
    looked.length = 0;
    return addedSentences(before === undefined ? undefined : { realm: before }, { realm: after }, ({ realm }) => {
      looked.push(realm);
      return realm.split(' ').filter((word) => word.startsWith('!'));
    });
  };
  t.deepEqual(told('!a b', 'c'), []);
  t.deepEqual(looked, ['c']);
  t.deepEqual(told('!a b', '!a !c'), ['!c']);
  t.deepEqual(looked, ['!a !c', '!a b']);
  t.deepEqual(told(undefined, '!a'), ['!a']);
});
