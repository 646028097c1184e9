import { ActionTokenHandler, type IssuedActionToken, type JsonObject } from '@keyhost/spi';
import { revokedTokenKey, usedTokenKey } from '../../action-tokens/action-token-keys.js';
import { issueTime } from '../../action-tokens/action-token-nonce.js';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { MAX_ACTION_TOKEN_LIFESPAN, type Realm } from '../../model/realm.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import { enabledRequiredAction } from '../../realms/enabled-required-actions.js';
import { enabledProvider } from '../../registry/generations/realm-providers.js';
import type { CalledRealm } from '../../registry/sessions/caller.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { ActionTokenRequest } from '../../registry/sessions/session-services.js';
import type { ActionTokenFilter, ActionTokenRecord, Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { actionProviderOf } from '../required-actions/action-providers.js';
import { clientProblem } from './client-problem.js';

/** Maximum number of tokens of one user that are listed. */
const MAX_TOKENS = 1000;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An action token that an admin requests. */
export interface IssueRequest {
  readonly type: string;
  readonly clientId: string | undefined;
  /** Only for `execute-actions`: the address of the link that is shown after the last action. */
  readonly redirectUri: string | undefined;
  /** In seconds. Undefined: the lifespan of links that admins send, but at most the maximum of the realm's policy. */
  readonly lifespan: number | undefined;
  /** The handler's own claims. */
  readonly claims: JsonObject;
  readonly onSigned: NonNullable<ActionTokenRequest['onSigned']>;
}

/** A page of valid tokens, with their users. */
export interface TokenPage {
  readonly tokens: readonly { readonly token: ActionTokenRecord; readonly user: User }[];
  readonly next?: ActionTokenRecord;
}

/** The state of a token, even if its record was deleted. */
export interface TokenState {
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Absent once its record is deleted. */
  readonly token?: ActionTokenRecord;
  /**
   * The state; absent if unknown. `out`: valid. `ended`: invalidated together with the user's other tokens, or by a
   * change of data on which it depended.
   */
  readonly state?: 'out' | 'used' | 'revoked' | 'ended' | 'expired';
}

/** Operations of admins on action tokens, within the realm's `actionTokenPolicy` for their types. */
export class ActionTokenAdmin {
  readonly #parts: { store: Store; users: Users; clock: Clock; links: MailedLinks; sessions: SessionFactory };

  constructor(parts: { store: Store; users: Users; clock: Clock; links: MailedLinks; sessions: SessionFactory }) {
    this.#parts = parts;
  }

  /** The user's tokens that are still valid, newest first. */
  async list(realmAndCaller: CalledRealm, user: User): Promise<readonly ActionTokenRecord[]> {
    const { realm } = realmAndCaller;
    const records = await this.#parts.store.actionTokens.list(realm.name, user.id, {
      now: this.#parts.clock.now(),
      max: MAX_TOKENS,
    });
    const valid: ActionTokenRecord[] = [];
    for (const token of records) if (await this.#isValid(realmAndCaller, user, token)) valid.push(token);
    return valid;
  }

  /**
   * A page of the realm's valid tokens, newest first. Invalid ones are left out.
   * @returns `next`: the last token of this page, after which the next page begins; undefined if this is the last page
   */
  async page(realmAndCaller: CalledRealm, filter: Omit<ActionTokenFilter, 'now'>): Promise<TokenPage> {
    const { realm } = realmAndCaller;
    const records = await this.#parts.store.actionTokens.page(realm.name, { ...filter, now: this.#parts.clock.now() });
    const tokens: { token: ActionTokenRecord; user: User }[] = [];
    const users = new Map<string, User | undefined>();
    for (const token of records) {
      if (!users.has(token.userId)) users.set(token.userId, await this.#parts.users.byId(realm, token.userId));
      const user = users.get(token.userId);
      if (user !== undefined && (await this.#isValid(realmAndCaller, user, token))) tokens.push({ token, user });
    }
    return { tokens, ...defined({ next: records.length < filter.max ? undefined : records.at(-1) }) };
  }

  /**
   * The state of a token.
   * @returns undefined if the ID is not a version 7 UUID, as all IDs of this host are
   */
  async stateOf(realmAndCaller: CalledRealm, user: User, id: string): Promise<TokenState | undefined> {
    if (!UUID_V7.test(id)) return undefined;
    const { name } = realmAndCaller.realm;
    const now = this.#parts.clock.now();
    const token = await this.#parts.store.actionTokens.find({ realm: name, userId: user.id, id });
    const tokenState = { issuedAt: issueTime(id, 0), ...defined({ token }) };
    if (await this.#parts.store.marks.has({ ...revokedTokenKey(name, id), now }))
      return { ...tokenState, state: 'revoked' };
    if (token === undefined)
      return tokenState.issuedAt <= user.linksNotBefore ? { ...tokenState, state: 'ended' } : tokenState;
    if (await this.#parts.store.marks.has({ ...usedKey(token), now })) return { ...tokenState, state: 'used' };
    if (token.expiresAt <= now) return { ...tokenState, state: 'expired' };
    return { ...tokenState, state: (await this.#isValid(realmAndCaller, user, token)) ? 'out' : 'ended' };
  }

  /**
   * Revokes the token, even if a browser has opened its link but not completed anything.
   * @returns false if it does not exist, has expired, or has a type that the policy does not name
   */
  async revoke({ realm }: CalledRealm, user: User, id: string): Promise<boolean> {
    const key = { realm: realm.name, userId: user.id, id };
    const token = await this.#parts.store.actionTokens.find(key);
    const now = this.#parts.clock.now();
    if (token === undefined || token.expiresAt <= now || realm.actionTokenRule(token.type) === undefined) return false;
    const { committed } = await this.#parts.store.commit([
      {
        op: 'marks.claim',
        args: { ...revokedTokenKey(realm.name, id), expiresAt: token.expiresAt, now },
        require: true,
      },
      { op: 'actionTokens.remove', args: key, require: true },
    ]);
    return committed;
  }

  /**
   * Issues a token for an admin.
   * @returns the token, or the problem with the request; `forbidden` if the policy does not let admins issue that type
   */
  async issue(
    { realm, caller }: CalledRealm,
    user: User,
    request: IssueRequest,
  ): Promise<IssuedActionToken | 'forbidden' | { readonly problem: string }> {
    const { type, lifespan, clientId, redirectUri } = request;
    const rule = realm.actionTokenRule(type);
    if (rule?.mint !== true) return 'forbidden';
    if (!user.enabled) return { problem: 'User is disabled' };
    const maxLifespan = Math.min(rule.maxLifespan ?? realm.lifespans.actionTokenByAdmin, MAX_ACTION_TOKEN_LIFESPAN);
    if (lifespan !== undefined && lifespan < 1) return { problem: 'lifespan must be at least 1' };
    if (lifespan !== undefined && lifespan > maxLifespan) return { problem: `lifespan must be at most ${maxLifespan}` };
    if (redirectUri !== undefined && type !== 'execute-actions') {
      return { problem: 'redirectUri is allowed for execute-actions only' };
    }
    const problem = clientProblem(realm, { clientId, redirectUri });
    if (problem !== undefined) return { problem };
    const session = this.#parts.sessions.create(realm, caller, 'keyhost');
    try {
      return await this.#issue(session, user, {
        type,
        userId: user.id,
        onSigned: request.onSigned,
        expiresIn: lifespan ?? Math.min(realm.lifespans.actionTokenByAdmin, maxLifespan),
        ...defined({ clientId }),
        claims: { ...request.claims, ...defined({ reduri: redirectUri }) },
      });
    } catch (error) {
      const code = codeOf(error);
      const message = messageOf(error);
      if (code !== 'action_token_type_unknown' && code !== 'invalid_claims') throw error;
      return { problem: message };
    } finally {
      await session.close();
    }
  }

  async #issue(
    session: HostSession,
    user: User,
    request: ActionTokenRequest & { readonly claims: JsonObject },
  ): Promise<IssuedActionToken | { readonly problem: string }> {
    if (!isBuiltIn(session.generation, session.compiledRealm, request.type)) return session.actionTokens.issue(request);
    // Built-in links depend on the user's email.
    if (!user.view.email) return { problem: 'User email missing' };
    const actions = request.claims.rqac;
    const isEnabled = (alias: unknown) => {
      const action = typeof alias === 'string' ? enabledRequiredAction(session.compiledRealm, alias) : undefined;
      return action !== undefined && actionProviderOf(session, action) !== undefined;
    };
    if (Array.isArray(actions) && !actions.every(isEnabled)) return { problem: 'Provided invalid required actions' };
    return this.#parts.links.issue(session, user, request);
  }

  async #isValid({ realm, caller }: CalledRealm, user: User, token: ActionTokenRecord): Promise<boolean> {
    if (realm.actionTokenRule(token.type) === undefined || token.issuedAt <= user.linksNotBefore) return false;
    const issuedAtSeconds = Math.floor(token.issuedAt / 1000);
    if ((realm.notBefore > 0 && issuedAtSeconds <= realm.notBefore) || issuedAtSeconds < user.notBefore) return false;
    if (issuedAtSeconds < (realm.clients.get(token.clientId ?? '')?.notBefore ?? 0)) return false;
    if (await this.#parts.store.marks.has({ ...usedKey(token), now: this.#parts.clock.now() })) return false;
    return (
      !isBuiltIn(caller.providers, realm, token.type) ||
      (await this.#parts.links.validity(realm, user, token)) === 'good'
    );
  }
}

function isBuiltIn(generation: HostSession['generation'], realm: Realm, type: string): boolean {
  return enabledProvider(generation, realm, ActionTokenHandler, type)?.registered.plugin.builtin === true;
}

function usedKey({ realm, userId, id, type, expiresAt }: ActionTokenRecord) {
  return usedTokenKey(realm, { subject: userId, expiresAt: Math.floor(expiresAt / 1000), nonce: id, type });
}
