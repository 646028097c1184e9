import * as oauth from 'oauth4webapi';
import { DESK } from '../address.ts';
import { discover, newRequest, redeem, renew, type Tokens } from './authorization.ts';
import { keepRequest, takeRequest } from './pending-request.ts';
import { rememberedRealm, rememberRealm } from './remembered-realm.ts';
import { openSecondTab, passToFirstTab, TAB } from './second-tab.ts';

/** How the desk begins. `leaving`: the browser is on its way to the host's login. */
export type Start =
  | { readonly state: 'signed in' | 'leaving' | 'handed over' }
  | {
      readonly state: 'signed out';
      readonly why?: 'asked' | 'unknown realm' | 'refused' | 'away';
      readonly told?: string;
    };

/** Part of a token's lifetime after which it is renewed. */
const RENEW_AT = 0.7;
/** Part of a token's lifetime before its end, at which it is not sent any more. */
const MARGIN = 0.1;
const SIGNED_OUT = 'signed-out';

/** The tokens, which nothing outside this closure holds, and all that is done with them. */
function newSession() {
  let realm = '';
  let server: oauth.AuthorizationServer | undefined;
  let tokens: Tokens | undefined;
  let renewing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasEnded = false;
  const listeners = new Set<() => void>();

  function take(made: Tokens): void {
    tokens = made;
    hasEnded = false;
    clearTimeout(timer);
    timer = setTimeout(() => void renewOnce().catch(() => undefined), made.lifetime * RENEW_AT);
    for (const listener of listeners) listener();
  }

  /** One renewal at a time. A host that is away is asked again with the next request; one that refuses has ended the session. */
  function renewOnce(): Promise<void> {
    renewing ??= (async () => {
      if (server === undefined || tokens === undefined) return;
      try {
        take(await renew(server, tokens));
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

  async function leave(name: string, path: string, prompt?: 'none'): Promise<Start> {
    try {
      const { url, pending } = await newRequest(await discover(name), { realm: name, path, ...(prompt && { prompt }) });
      keepRequest(pending);
      location.assign(url);
      return { state: 'leaving' };
    } catch (error) {
      realm = name;
      // The host answered, and has no such realm.
      return { state: 'signed out', why: error instanceof TypeError ? 'away' : 'unknown realm' };
    }
  }

  /** The browser is back from the login. */
  async function arrive(answer: URLSearchParams): Promise<Start> {
    const pending = takeRequest();
    history.replaceState(null, '', pending?.path ?? DESK.pathname);
    if (pending === undefined) return { state: 'signed out' };
    realm = pending.realm;
    try {
      server = await discover(realm);
      take(await redeem(server, answer, pending));
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError && error.error === 'login_required')
        return { state: 'signed out' };
      if (error instanceof TypeError) return { state: 'signed out', why: 'away' };
      return { state: 'signed out', why: 'refused', told: toldBy(error) };
    }
    rememberRealm(realm);
    return { state: 'signed in' };
  }

  return {
    /** The realm that the user is signed in to, or is about to. */
    get realm() {
      return realm;
    },
    /** True once the host refuses to renew: what was typed stays, and `signInAgain` goes on with it. */
    get hasEnded() {
      return hasEnded;
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async start(): Promise<Start> {
      const query = new URLSearchParams(location.search);
      // The host sends browsers back to one address; elsewhere a `state` is the page's own.
      const state = location.pathname === DESK.pathname ? (query.get('state') ?? '') : '';
      if (state.startsWith(TAB)) return passToFirstTab(query);
      if (state === SIGNED_OUT) {
        history.replaceState(null, '', DESK.pathname);
        realm = rememberedRealm();
        return { state: 'signed out', why: 'asked' };
      }
      if (state !== '') return arrive(query);
      const asked = query.get('realm') ?? undefined;
      query.delete('realm');
      const path = location.pathname + (query.size > 0 ? `?${query}` : '');
      return leave(asked ?? rememberedRealm(), path, 'none');
    },

    signIn: (name: string) => leave(name, location.pathname + location.search),

    /** In a new tab: this one stays as it is. @returns false where another user has signed in there */
    async signInAgain(): Promise<boolean> {
      if (server === undefined) return false;
      const { url, pending } = await newRequest(server, { realm, path: '', statePrefix: TAB });
      const made = await redeem(server, await openSecondTab(url, pending.state), pending);
      const isSame = tokens?.subject === made.subject;
      if (isSame) take(made);
      return isSame;
    },

    /** An access token that is good now. @throws where there is none to be had */
    async token(): Promise<string> {
      if (tokens !== undefined && tokens.expiresAt - tokens.lifetime * MARGIN < Date.now()) await renewOnce();
      return tokens?.access ?? '';
    },

    /** The host did not take the access token. */
    refused: renewOnce,

    /** The realm is gone, and the session with it: there is nothing to sign out of. */
    leaveRealm(): void {
      rememberRealm('master');
      location.assign(`${DESK.href}?state=${SIGNED_OUT}`);
    },

    /** By a form, so that no token stands in an address (OpenID Connect RP-Initiated Logout 1.0 §2). */
    signOut(): void {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = server?.end_session_endpoint ?? '';
      const fields = { id_token_hint: tokens?.id ?? '', post_logout_redirect_uri: DESK.href, state: SIGNED_OUT };
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

function toldBy(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return error.error_description ?? error.error;
  return String(error);
}

export const session = newSession();
