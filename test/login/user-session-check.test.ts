import test from 'ava';
import { NO_LEVEL } from '../../core/login/flows/levels.js';
import {
  checkUserSession,
  type SessionCheck,
  type SessionCheckInput,
} from '../../core/login/flows/user-session-check.js';

const NOW = 1_700_000_000;
const LEVELS = [
  { level: 1, maxAge: 36_000 },
  { level: 2, maxAge: 300 },
];
/** Signed in 200 seconds ago, with both levels. */
const SESSION: NonNullable<SessionCheckInput['session']> = {
  authMethod: 'openid-connect',
  authTime: NOW - 200,
  startedAt: (NOW - 200) * 1000,
  notes: { 'loa-map': JSON.stringify({ 1: NOW - 200, 2: NOW - 200 }) },
};
const REQUEST: SessionCheckInput['request'] = { prompts: [] };
const INPUT: SessionCheckInput = {
  request: REQUEST,
  session: SESSION,
  subject: 'alice',
  levels: [],
  targetLevel: NO_LEVEL,
  nowSeconds: NOW,
};
const asks = (request: Partial<SessionCheckInput['request']>, more: Partial<SessionCheckInput> = {}) => ({
  request: { ...REQUEST, ...request },
  ...more,
});

/** The standing: fresh, matching the hint, its level, enough for the acr. */
const CASES: readonly [title: string, changes: Partial<SessionCheckInput>, ...standing: (boolean | number)[]][] = [
  ['no session', { session: undefined, subject: undefined }, true, true, -1, true],
  ['a session', {}, true, true, -1, true],
  ['prompt=login', asks({ prompts: ['login'] }), false, true, -1, true],
  ['max_age in time', asks({ maxAge: 200 }), true, true, -1, true],
  ['max_age passed', asks({ maxAge: 199 }), false, true, -1, true],
  ['max_age=0', asks({ maxAge: 0 }), false, true, -1, true],
  ['max_age=0 without a session', asks({ maxAge: 0 }, { session: undefined }), false, true, -1, true],
  ['an action that the application starts', asks({ initiatedAction: 'UPDATE_PASSWORD' }), true, true, -1, true],
  [
    'such an action, 301 seconds after the login',
    asks({ initiatedAction: 'UPDATE_PASSWORD' }, { nowSeconds: NOW + 101 }),
    false,
    true,
    -1,
    true,
  ],
  ['the hinted user', asks({ hintedSubject: 'alice' }), true, true, -1, true],
  ['another user than hinted', asks({ hintedSubject: 'bob' }), true, false, -1, true],
  [
    'a hint without a session',
    asks({ hintedSubject: 'bob' }, { session: undefined, subject: undefined }),
    true,
    false,
    -1,
    true,
  ],
  ['acr wanted from a flow without levels', asks({ acr: { wanted: 2 } }, { targetLevel: 2 }), true, true, -1, true],
  [
    'acr required from a flow without levels',
    asks({ acr: { wanted: 2, least: 2 } }, { targetLevel: 2 }),
    true,
    true,
    -1,
    false,
  ],
  ['level 2 for level 2', { levels: LEVELS, targetLevel: 2 }, true, true, 2, true],
  ['level 2, expired', { levels: LEVELS, targetLevel: 2, nowSeconds: NOW + 101 }, true, true, 1, false],
  ['level 2, expired, for level 1', { levels: LEVELS, targetLevel: 1, nowSeconds: NOW + 101 }, true, true, 1, true],
  [
    'levels of a session that is not fresh',
    asks({ maxAge: 100 }, { levels: LEVELS, targetLevel: 1 }),
    false,
    true,
    -1,
    false,
  ],
  [
    'levels of another user than hinted',
    asks({ hintedSubject: 'bob' }, { levels: LEVELS, targetLevel: 1 }),
    true,
    false,
    -1,
    false,
  ],
  ['levels without a session', { session: undefined, levels: LEVELS, targetLevel: 1 }, true, true, -1, false],
  [
    'a flow that a policy chose, with acr',
    asks({ flow: { alias: 'strong', level: 2 }, acr: { wanted: 1 } }, { levels: LEVELS, targetLevel: 1 }),
    true,
    true,
    2,
    false,
  ],
  [
    'a flow that a policy chose, without acr',
    asks({ flow: { alias: 'strong', level: 2 } }, { levels: LEVELS, targetLevel: 1 }),
    true,
    true,
    2,
    true,
  ],
];

for (const [title, changes, isFresh, matchesHint, level, satisfiesAcr] of CASES) {
  test(`level of a login: user session in a login: ${title}`, (t) => {
    t.deepEqual(checkUserSession({ ...INPUT, ...changes }), {
      isFresh,
      matchesHint,
      level,
      satisfiesAcr,
    } as SessionCheck);
  });
}

test('level of a login: user session in a login: an impersonated user has proven nothing', (t) => {
  const session = { ...SESSION, authMethod: 'impersonate' };
  for (const request of [asks({ maxAge: 10_000 }), asks({ initiatedAction: 'UPDATE_PASSWORD' })])
    t.false(checkUserSession({ ...INPUT, ...request, session }).isFresh);
  t.true(checkUserSession({ ...INPUT, session }).isFresh);
});
