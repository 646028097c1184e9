import { randomInt } from 'node:crypto';
import { type FollowedLink, HostError, type LoginLink, type LoginLinkRequest } from '@keyhost/spi';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import type { Client } from '../../model/client.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import { redirectUriOf } from '../../oidc/authorization/redirect-uris.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { RightRefusals } from '../../registry/sessions/right-refusals.js';
import type { LoginLinkToIssue } from '../../registry/sessions/session-services.js';
import { deviceNote, readDevice } from '../../sessions/device-note.js';
import type { Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';

/** The type of the action token. */
export const LOGIN_LINK = 'login-link';
const REQUIRED_RIGHT = 'issue-login-links';
/** The namespace in the store; plugin names never begin with a slash. */
const NAMESPACE = '/login-links';
/** Maximum lifetime in seconds. */
const MAX_LIFETIME_SECONDS = 86_400;
/** How long a waiting login can use an approval that was given in another browser, in milliseconds. */
const APPROVAL_LIFETIME_MS = 600_000;
const CHOICE_COUNT = 3;

/** The stored data of a link, as long as it can be followed. */
export interface StoredLoginLink {
  /** The login that the link completes; absent if it completes none. */
  readonly waiting?: {
    readonly login: string;
    /**
     * The number that the login's window shows, and the choices on the link's page. They are stored, because choices
     * that change would reveal the correct number.
     */
    readonly number: string;
    readonly choices: readonly string[];
    readonly browser: string;
    readonly ip: string;
  };
  readonly redirectUri?: string;
}

/** The approval of a link in a browser other than that of its login. */
export interface LinkApproval extends FollowedLink {
  readonly id: string;
}

/** Issues links that sign users in. Plugins request them and deliver them to the users. */
export class LoginLinks {
  readonly #parts: { links: MailedLinks; users: Users; store: Store; clock: Clock; refusals: RightRefusals };

  constructor(parts: { links: MailedLinks; users: Users; store: Store; clock: Clock; refusals: RightRefusals }) {
    this.#parts = parts;
  }

  /**
   * Issues a link.
   * @throws HostError as the SPI documents for `session.loginLinks.issue`
   */
  async issue({ plugin, rights, request }: LoginLinkToIssue, session: HostSession): Promise<LoginLink> {
    const { compiledRealm: realm, caller } = session;
    const refuse = (right: string) => this.#parts.refusals.refusalError(plugin, realm.name, right, 'loginLinks.issue');
    if (!rights.has(REQUIRED_RIGHT)) throw refuse(REQUIRED_RIGHT);
    const { userId, login, redirectUri, expiresIn } = checkRequest(request);
    // A required action has no pending authenticator that the link could complete.
    if (login !== undefined && !(session.isAtStep && login === caller.login?.name)) {
      throw invalidArgument('login must be that of the step that asks');
    }
    const client = clientOf(realm, login === undefined ? request.clientId : caller.login?.clientId);
    if (redirectUri !== undefined && (client === undefined || redirectUriOf(client, redirectUri) === undefined)) {
      throw invalidArgument('redirectUri must be a redirect URI of the client');
    }
    const user = await this.#parts.users.byId(realm, userId);
    if (user === undefined || user.isServiceAccount) {
      throw new HostError('user_not_found', 'User not found', { status: 404 });
    }
    if (user.isAdmin(realm) && !rights.has('manage-admins')) throw refuse('manage-admins');
    const clientId = client?.clientId;
    const tokenRequest = { type: LOGIN_LINK, userId, ...defined({ login, clientId, expiresIn }) };
    const { id, link, expiresIn: lifetime } = await this.#parts.links.issue(session, user, tokenRequest);
    const waiting = login === undefined ? undefined : { login, ...newNumbers(), ...requestingDevice(session) };
    await this.#parts.store.entries.put({
      ...entryKey(realm, `link ${id}`),
      value: JSON.stringify(defined({ waiting, redirectUri }) satisfies StoredLoginLink),
      expiresAt: this.#parts.clock.now() + lifetime * 1000,
    });
    return { id, link, expiresIn: lifetime, ...defined({ number: waiting?.number }) };
  }

  async find(realm: Realm, id: string): Promise<StoredLoginLink | undefined> {
    return this.#read(realm, `link ${id}`);
  }

  /**
   * Uses up the link.
   * @returns true for the first caller only
   */
  async redeem(realm: Realm, { id, expiresAt }: { readonly id: string; readonly expiresAt: number }): Promise<boolean> {
    const record = { realm: realm.name, kind: 'login-link', keyHash: id, expiresAt: expiresAt * 1000 };
    const isFirst = await this.#parts.store.marks.claim({ ...record, now: this.#parts.clock.now() });
    await this.#parts.store.entries.delete(entryKey(realm, `link ${id}`));
    return isFirst;
  }

  /** Stores the approval of a link that was opened in a browser other than that of its login. */
  async approve(realm: Realm, login: string, approval: LinkApproval): Promise<void> {
    await this.#parts.store.entries.put({
      ...entryKey(realm, `approved ${login}`),
      value: JSON.stringify(approval),
      expiresAt: this.#parts.clock.now() + APPROVAL_LIFETIME_MS,
    });
  }

  /** The newest approval of a login that was given in another browser. */
  findApproval(realm: Realm, login: string): Promise<LinkApproval | undefined> {
    return this.#read(realm, `approved ${login}`);
  }

  async #read<T>(realm: Realm, key: string): Promise<T | undefined> {
    const value = await this.#parts.store.entries.get({ ...entryKey(realm, key), now: this.#parts.clock.now() });
    return value === undefined ? undefined : (JSON.parse(value) as T);
  }
}

function entryKey({ name }: Realm, key: string) {
  return { realm: name, namespace: NAMESPACE, key };
}

/**
 * Checks the types and ranges of a plugin's request.
 * @throws HostError `invalid_argument`
 */
function checkRequest(request: LoginLinkRequest): LoginLinkRequest {
  const { userId, login, clientId, redirectUri, expiresIn } = request ?? {};
  if (typeof userId !== 'string') throw invalidArgument('userId must be the id of a user');
  for (const [name, value] of Object.entries({ login, clientId, redirectUri })) {
    if (value !== undefined && typeof value !== 'string') throw invalidArgument(`${name} must be a string`);
  }
  if (login !== undefined && (clientId !== undefined || redirectUri !== undefined)) {
    throw invalidArgument(
      'a link with login leads to the application of this login: leave out clientId and redirectUri',
    );
  }
  if (
    expiresIn !== undefined &&
    !(Number.isInteger(expiresIn) && expiresIn >= 1 && expiresIn <= MAX_LIFETIME_SECONDS)
  ) {
    throw invalidArgument(`expiresIn must be a whole number of seconds from 1 to ${MAX_LIFETIME_SECONDS}`);
  }
  return request;
}

function clientOf(realm: Realm, clientId: string | undefined): Client | undefined {
  if (clientId === undefined) return undefined;
  const client = realm.clients.get(clientId);
  if (client === undefined) throw invalidArgument(`the realm has no client ${clientId}`);
  return client;
}

function invalidArgument(problem: string): HostError {
  return new HostError('invalid_argument', `loginLinks.issue: ${problem}`);
}

/** Random distinct two-digit numbers, and which of them is correct. */
function newNumbers(): { readonly number: string; readonly choices: readonly string[] } {
  const distinct = new Set<string>();
  while (distinct.size < CHOICE_COUNT) distinct.add(String(randomInt(10, 100)));
  const choices = [...distinct];
  return { number: choices[randomInt(CHOICE_COUNT)] ?? '', choices };
}

/** The browser and IP address that started the login, to show to the user. */
function requestingDevice({ caller }: HostSession): { readonly browser: string; readonly ip: string } {
  const { browser, os } = readDevice(deviceNote(caller.login?.userAgent ?? ''));
  return { browser: `${browser.split('/')[0]} (${os})`, ip: caller.ip };
}
