import test from 'ava';
import { defined } from '../../core/model/defined.js';

test('definedMembers: members that are undefined are left out, all others stay in their order', (t) => {
  const none = undefined as string | undefined;
  const kept = defined({ b: 'b', none, a: null, no: false, empty: '' });
  t.deepEqual(Object.entries(kept), [
    ['b', 'b'],
    ['a', null],
    ['no', false],
    ['empty', ''],
  ]);
  t.false('none' in kept);
});

test('definedMembers: a member that may be undefined is optional in the type, others stay required', (t) => {
  const text = (given: { readonly name: string; readonly nick?: string }) => given.nick ?? given.name;
  const nick = undefined as string | undefined;
  t.is(text({ nick: 'default', ...defined({ name: 'alice', nick }) }), 'default');
});
