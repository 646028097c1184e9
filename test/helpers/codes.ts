import { Browser, CALLBACK, codeRequest } from './form-browser.js';
import type { Answer, TestHost } from './host.js';
import { post, WEB } from './login.js';

/** A code that has not been redeemed yet. */
export interface FreshCode {
  readonly code: string;
  readonly verifier: string;
  /** The ID of the login's session. */
  readonly session: string;
}

const ALICE_FORM = { username: 'alice', password: 'Alice-pass-1!' };

/** A code for `web` from alice's login; `changes` as in `codeRequest`. */
export async function freshCode(
  at: TestHost,
  changes: Record<string, string | undefined> = {},
  browser = new Browser(),
): Promise<FreshCode> {
  const { url, verifier } = codeRequest(at, changes);
  const first = await browser.open(url);
  const back = first.status === 302 ? first : await browser.submit(first, ALICE_FORM);
  const given = back.location?.searchParams;
  return { verifier, code: given?.get('code') ?? '', session: given?.get('session_state') ?? '' };
}

/** Redeems a code; `changes` replace parameters or remove them (undefined). */
export function redeem(
  at: TestHost,
  { code, verifier }: FreshCode,
  changes: Record<string, string | undefined> = {},
  realm = at.defaultRealm,
): Promise<Answer> {
  const form = { ...WEB, grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const given = Object.entries({ ...form, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return post(at, 'token', given, {}, realm);
}
