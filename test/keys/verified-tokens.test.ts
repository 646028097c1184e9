import test from 'ava';
import { type VerifiedToken, VerifiedTokens } from '../../core/keys/verified-tokens.js';

const TOKENS = 10_000;
const SECOND = 1000;

/** A host that is asked about tokens that live for a minute holds those of the last two minutes, not thousands. */
test('verified tokens: expired tokens do not stay in memory', (t) => {
  let nowMs = 0;
  const verifiedTokens = new VerifiedTokens(() => nowMs);
  const add = (name: string, expiresAt: number) =>
    verifiedTokens.add(name, { expiresAt, payload: '{}' } as VerifiedToken);
  add('offline', Number.POSITIVE_INFINITY);
  for (let second = 0; second < TOKENS; second += 1) {
    nowMs = second * SECOND;
    add(`token ${second}`, second + 60);
  }
  add('expired', TOKENS - 10);
  const held = Array.from({ length: TOKENS }, (_, second) => verifiedTokens.get(`token ${second}`)).filter(Boolean);
  t.true(held.length >= 60 && held.length <= 200, `${held.length} tokens`);
  t.truthy(verifiedTokens.get('offline'));
  t.is(verifiedTokens.get('expired'), undefined);
});
