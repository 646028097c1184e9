import test from 'ava';
import { addedSentences } from '../../core/config/added-sentences.js';

test('a change tells of what it has added, and looks at the realm before only where there is something to tell', (t) => {
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
