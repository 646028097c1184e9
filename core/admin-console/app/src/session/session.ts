import * as oauth from 'oauth4webapi';
import { CONSOLE_URL } from '../address.ts';
import { discover, newRequest, redeem, renew, type Tokens } from './authorization.ts';
import { readLastRealm, storeLastRealm } from './last-realm.ts';
import { storeRequest, takeRequest } from './pending-request.ts';
import { openSecondTab, passToFirstTab, TAB_PREFIX } from './second-tab.ts';

/**
 * The outcome of the start.
 * - `leaving`: the browser is on its way to the host's login page
 * - `handed over`: this tab passed the login's answer to the tab that opened it
 */
export type Start =
  | { readonly state: 'signed in' | 'leaving' | 'handed over' }
  | {
      readonly state: 'signed out';
      readonly reason?: 'asked' | 'unknown realm' | 'refused' | 'away';
      readonly hostMessage?: string;
    };

/** The part of a token's lifetime after which it is renewed. */
const RENEW_AT = 0.7;
/** The last part of a token's lifetime, in which it is no longer sent. */
const MARGIN = 0.1;
const SIGNED_OUT = 'signed-out';

/** The tokens, which only this closure holds, with all operations on them. */
function newSession() {
  let realm = '';
  let server: oauth.AuthorizationServer | undefined;
  let tokens: Tokens | undefined;
  let renewing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  const listeners = new Set<() => void>();

  function setTokens(newTokens: Tokens): void {
    tokens = newTokens;
    hasEnded = false;
    clearTimeout(timer);
    timer = setTimeout(() => void renewOnce().catch(() => undefined), newTokens.lifetime * RENEW_AT);
    for (const listener of listeners) listener();
  }

  /**
   * Renews the tokens, one request at a time. If the host is unreachable, the next request tries again; if it refuses,
   * the session is over.
   */
  function renewOnce(): Promise<void> {
    renewing ??= (async () => {
      if (server === undefined || tokens === undefined) return;
      try {
        setTokens(await renew(server, tokens));
      } catch (error) {
        if (!(error instanceof oauth.ResponseBodyError)) throw error;
        hasEnded = true;
        for (const listener of listeners) listener();
        throw error;
      }
    })().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function goToLogin(name: string, path: string, prompt?: 'none'): Promise<Start> {
    try {
      const { url, pending } = await newRequest(await discover(name), { realm: name, path, ...(prompt && { prompt }) });
      storeRequest(pending);
      location.assign(url);
      return { state: 'leaving' };
    } catch (error) {
      realm = name;
      // Unless it is a TypeError, the host answered, and does not have this realm.
      return { state: 'signed out', reason: error instanceof TypeError ? 'away' : 'unknown realm' };
    }
  }

  /** Handles the return of the browser from the login page. */
  async function finishLogin(answer: URLSearchParams): Promise<Start> {
    const pending = takeRequest();
    history.replaceState(null, '', pending?.path ?? CONSOLE_URL.pathname);
    if (pending === undefined) return { state: 'signed out' };
    realm = pending.realm;
    try {
      server = await discover(realm);
      setTokens(await redeem(server, answer, pending));
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError && error.error === 'login_required')
        return { state: 'signed out' };
      if (error instanceof TypeError) return { state: 'signed out', reason: 'away' };
      return { state: 'signed out', reason: 'refused', hostMessage: messageOf(error) };
    }
    storeLastRealm(realm);
    return { state: 'signed in' };
  }

  return {
    /** The realm that the user is signed in to, or is about to be. */
    get realm() {
      return realm;
    },
    /**
     * True once the host has refused to renew the tokens. Pages and their input stay; `signInAgain` gets new tokens.
     */
    get hasEnded() {
      return hasEnded;
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async start(): Promise<Start> {
      const query = new URLSearchParams(location.search);
      // Browsers return to one address only: at any other, a `state` belongs to the page.
      const state = location.pathname === CONSOLE_URL.pathname ? (query.get('state') ?? '') : '';
      if (state.startsWith(TAB_PREFIX)) return passToFirstTab(query);
      if (state === SIGNED_OUT) {
        history.replaceState(null, '', CONSOLE_URL.pathname);
        realm = readLastRealm();
        return { state: 'signed out', reason: 'asked' };
      }
      if (state !== '') return finishLogin(query);
      const requested = query.get('realm') ?? undefined;
      query.delete('realm');
      const path = location.pathname + (query.size > 0 ? `?${query}` : '');
      return goToLogin(requested ?? readLastRealm(), path, 'none');
    },

    signIn: (name: string) => goToLogin(name, location.pathname + location.search),

    /**
     * Signs in again in a new tab, so that this one is unchanged.
     * @returns false if a different user signed in there
     */
    async signInAgain(): Promise<boolean> {
      if (server === undefined) return false;
      const { url, pending } = await newRequest(server, { realm, path: '', statePrefix: TAB_PREFIX });
      const newTokens = await redeem(server, await openSecondTab(url, pending.state), pending);
      const isSame = tokens?.subject === newTokens.subject;
      if (isSame) setTokens(newTokens);
      return isSame;
    },

    /** A valid access token. @throws if there is none */
    async token(): Promise<string> {
      if (tokens !== undefined && tokens.expiresAt - tokens.lifetime * MARGIN < Date.now()) await renewOnce();
      return tokens?.access ?? '';
    },

    /** Called when the host rejected the access token. */
    renewAfterRefusal: renewOnce,

    /** Leaves a deleted realm: its session was deleted with it, so there is nothing to sign out of. */
    leaveRealm(): void {
      storeLastRealm('master');
      location.assign(`${CONSOLE_URL.href}?state=${SIGNED_OUT}`);
    },

    /** Signs out with a form, so that no URL contains a token (OpenID Connect RP-Initiated Logout 1.0 §2). */
    signOut(): void {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = server?.end_session_endpoint ?? '';
      const fields = { id_token_hint: tokens?.id ?? '', post_logout_redirect_uri: CONSOLE_URL.href, state: SIGNED_OUT };
      for (const [name, value] of Object.entries(fields)) {
        const field = document.createElement('input');
        Object.assign(field, { type: 'hidden', name, value });
        form.append(field);
      }
      document.body.append(form);
      form.submit();
    },
  };
}

function messageOf(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return error.error_description ?? error.error;
  return String(error);
}

export const session = newSession();
