import { ActionTokenHandler, type IssuedActionToken, type JsonObject } from '@keyhost/spi';
import { issueTime } from '../../action-tokens/action-token-nonce.js';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import { revokedTokenKey, usedTokenKey } from '../../action-tokens/single-use-keys.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { MAX_ACTION_TOKEN_LIFESPAN, type Realm } from '../../model/realm.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import { listedAction } from '../../realms/listed-required-actions.js';
import { enabledProvider } from '../../registry/generations/realm-providers.js';
import type { ActionTokenRequest, CalledRealm, HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { ActionTokenFilter, ActionTokenRecord, Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { providerOf } from '../required-actions/action-providers.js';
import { clientProblem } from './requested-client.js';

/** Maximum number of one user's tokens that are listed. */
const MOST = 1000;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An action token that an admin requests. */
export interface IssueRequest {
  readonly type: string;
  readonly clientId: string | undefined;
  /** Only for `execute-actions`: the redirect URI of the last page. */
  readonly redirectUri: string | undefined;
  /** Seconds; undefined: the maximum of the realm's policy, but at most the lifespan of links that admins send. */
  readonly lifespan: number | undefined;
  /** The handler's own claims. */
  readonly claims: JsonObject;
  readonly onSigned: NonNullable<ActionTokenRequest['onSigned']>;
}

/** A page of unused tokens, with their users. */
export interface TokenPage {
  readonly tokens: readonly { readonly token: ActionTokenRecord; readonly user: User }[];
  readonly next?: ActionTokenRecord;
}

/** The state of a token by its ID, with or without a stored record. */
export interface TokenState {
  /** Milliseconds. */
  readonly issuedAt: number;
  /** Absent once its record is deleted. */
  readonly token?: ActionTokenRecord;
  /**
   * `ended`: invalidated together with the user's other tokens, or by a change of data that it depended on. Absent if
   * unknown.
   */
  readonly state?: 'out' | 'used' | 'revoked' | 'ended' | 'expired';
}

/** Operations of admins on action tokens, within the realm's `actionTokenPolicy` for their types. */
export class ActionTokenAdmin {
  readonly #store: Store;
  readonly #users: Users;
  readonly #clock: Clock;
  readonly #links: MailedLinks;
  readonly #sessions: SessionFactory;

  constructor(parts: { store: Store; users: Users; clock: Clock; links: MailedLinks; sessions: SessionFactory }) {
    this.#store = parts.store;
    this.#users = parts.users;
    this.#clock = parts.clock;
    this.#links = parts.links;
    this.#sessions = parts.sessions;
  }

  /** The tokens that are still valid, newest first. */
  async list(called: CalledRealm, user: User): Promise<readonly ActionTokenRecord[]> {
    const { realm } = called;
    const recorded = await this.#store.actionTokens.list(realm.name, user.id, { now: this.#clock.now(), max: MOST });
    const good: ActionTokenRecord[] = [];
    for (const token of recorded) if (await this.#isGood(called, user, token)) good.push(token);
    return good;
  }

  /**
   * A page of the realm's valid tokens, newest first. Invalid ones are left out.
   * @returns `next`: where the next page begins; undefined: this is the last
   */
  async page(called: CalledRealm, filter: Omit<ActionTokenFilter, 'now'>): Promise<TokenPage> {
    const { realm } = called;
    const recorded = await this.#store.actionTokens.page(realm.name, { ...filter, now: this.#clock.now() });
    const tokens: { token: ActionTokenRecord; user: User }[] = [];
    const users = new Map<string, User | undefined>();
    for (const token of recorded) {
      if (!users.has(token.userId)) users.set(token.userId, await this.#users.byId(realm, token.userId));
      const user = users.get(token.userId);
      if (user !== undefined && (await this.#isGood(called, user, token))) tokens.push({ token, user });
    }
    return { tokens, ...defined({ next: recorded.length < filter.max ? undefined : recorded.at(-1) }) };
  }

  /** @returns undefined for an ID that this host cannot have issued: its IDs contain their time */
  async standing(called: CalledRealm, user: User, id: string): Promise<TokenState | undefined> {
    if (!UUID_V7.test(id)) return undefined;
    const { name } = called.realm;
    const now = this.#clock.now();
    const token = await this.#store.actionTokens.find({ realm: name, userId: user.id, id });
    const told = { issuedAt: issueTime(id, 0), ...defined({ token }) };
    if (await this.#store.marks.has({ ...revokedTokenKey(name, id), now })) return { ...told, state: 'revoked' };
    if (token === undefined) return told.issuedAt <= user.linksNotBefore ? { ...told, state: 'ended' } : told;
    if (await this.#store.marks.has({ ...usedMark(token), now })) return { ...told, state: 'used' };
    if (token.expiresAt <= now) return { ...told, state: 'expired' };
    return { ...told, state: (await this.#isGood(called, user, token)) ? 'out' : 'ended' };
  }

  /**
   * Revokes the token, also for a browser that has opened its link but not completed anything.
   * @returns false if it does not exist
   */
  async revoke({ realm }: CalledRealm, user: User, id: string): Promise<boolean> {
    const key = { realm: realm.name, userId: user.id, id };
    const token = await this.#store.actionTokens.find(key);
    const now = this.#clock.now();
    if (token === undefined || token.expiresAt <= now || realm.actionTokenRule(token.type) === undefined) return false;
    const { committed } = await this.#store.commit([
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
   * @returns the token, or the problem with the request; `forbidden`: the policy does not let admins issue that type
   */
  async mint(
    { realm, caller }: CalledRealm,
    user: User,
    request: IssueRequest,
  ): Promise<IssuedActionToken | 'forbidden' | { readonly problem: string }> {
    const { type, lifespan, clientId, redirectUri } = request;
    const rule = realm.actionTokenRule(type);
    if (rule?.mint !== true) return 'forbidden';
    if (!user.enabled) return { problem: 'User is disabled' };
    const most = Math.min(rule.maxLifespan ?? realm.lifespans.actionTokenByAdmin, MAX_ACTION_TOKEN_LIFESPAN);
    if (lifespan !== undefined && lifespan < 1) return { problem: 'lifespan must be at least 1' };
    if (lifespan !== undefined && lifespan > most) return { problem: `lifespan must be at most ${most}` };
    if (redirectUri !== undefined && type !== 'execute-actions') {
      return { problem: 'redirectUri is allowed for execute-actions only' };
    }
    const problem = clientProblem(realm, { clientId, redirectUri });
    if (problem !== undefined) return { problem };
    const session = this.#sessions.create(realm, caller, 'keyhost');
    try {
      return await this.#issue(session, user, {
        type,
        userId: user.id,
        onSigned: request.onSigned,
        expiresIn: lifespan ?? Math.min(realm.lifespans.actionTokenByAdmin, most),
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
      const listed = typeof alias === 'string' ? listedAction(session.compiledRealm, alias) : undefined;
      return listed !== undefined && providerOf(session, listed) !== undefined;
    };
    if (Array.isArray(actions) && !actions.every(isEnabled)) return { problem: 'Provided invalid required actions' };
    return this.#links.issue(session, user, request);
  }

  async #isGood({ realm, caller }: CalledRealm, user: User, token: ActionTokenRecord): Promise<boolean> {
    if (realm.actionTokenRule(token.type) === undefined || token.issuedAt <= user.linksNotBefore) return false;
    const second = Math.floor(token.issuedAt / 1000);
    if ((realm.notBefore > 0 && second <= realm.notBefore) || second < user.notBefore) return false;
    if (second < (realm.clients.get(token.clientId ?? '')?.notBefore ?? 0)) return false;
    if (await this.#store.marks.has({ ...usedMark(token), now: this.#clock.now() })) return false;
    return (
      !isBuiltIn(caller.providers, realm, token.type) || (await this.#links.validity(realm, user, token)) === 'good'
    );
  }
}

function isBuiltIn(providers: HostSession['generation'], realm: Realm, type: string): boolean {
  return enabledProvider(providers, realm, ActionTokenHandler, type)?.registered.plugin.builtin === true;
}

function usedMark({ realm, userId, id, type, expiresAt }: ActionTokenRecord) {
  return usedTokenKey(realm, { subject: userId, expiresAt: Math.floor(expiresAt / 1000), nonce: id, type });
}
