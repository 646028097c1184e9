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
const RIGHT = 'issue-login-links';
/** In the store; plugin names never begin with a slash. */
const NAMESPACE = '/login-links';
/** Maximum lifetime in seconds. */
const LONGEST = 86_400;
/** How long a waiting login can use an approval from another browser, in milliseconds. */
const APPROVED_MS = 600_000;
const CHOICES = 3;

/** The stored data of a link while it can be followed. */
export interface StoredLoginLink {
  /** The login that it completes. */
  readonly waiting?: {
    readonly login: string;
    /**
     * The number that its window shows, and the choices on the page: stored, because choices that change would reveal
     * the right one.
     */
    readonly number: string;
    readonly choices: readonly string[];
    readonly browser: string;
    readonly ip: string;
  };
  readonly redirectUri?: string;
}

/** Approval of a link in another browser than that of its login. */
export interface LinkApproval extends FollowedLink {
  readonly id: string;
}

/** Links that sign users in. Plugins request them and deliver them to the users. */
export class LoginLinks {
  readonly #links: MailedLinks;
  readonly #users: Users;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #refusals: RightRefusals;

  constructor(parts: { links: MailedLinks; users: Users; store: Store; clock: Clock; refusals: RightRefusals }) {
    this.#links = parts.links;
    this.#users = parts.users;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#refusals = parts.refusals;
  }

  /** @throws HostError as `session.loginLinks.issue` */
  async issue({ plugin, rights, request }: LoginLinkToIssue, session: HostSession): Promise<LoginLink> {
    const { compiledRealm: realm, caller } = session;
    const refuse = (right: string) => this.#refusals.refuse(plugin, realm.name, right, 'loginLinks.issue');
    if (!rights.has(RIGHT)) throw refuse(RIGHT);
    const { userId, login, redirectUri, expiresIn } = checked(request);
    // A required action has no pending step that the link could complete.
    if (login !== undefined && !(session.isAtStep && login === caller.login?.name)) {
      throw wrong('login must be that of the step that asks');
    }
    const client = clientOf(realm, login === undefined ? request.clientId : caller.login?.clientId);
    if (redirectUri !== undefined && (client === undefined || redirectUriOf(client, redirectUri) === undefined)) {
      throw wrong('redirectUri must be a redirect URI of the client');
    }
    const user = await this.#users.byId(realm, userId);
    if (user === undefined || user.isServiceAccount) {
      throw new HostError('user_not_found', 'User not found', { status: 404 });
    }
    if (user.isAdmin(realm) && !rights.has('manage-admins')) throw refuse('manage-admins');
    const clientId = client?.clientId;
    const asked = { type: LOGIN_LINK, userId, ...defined({ login, clientId, expiresIn }) };
    const { id, link, expiresIn: lasts } = await this.#links.issue(session, user, asked);
    const waiting = login === undefined ? undefined : { login, ...numbers(), ...requestingDevice(session) };
    await this.#store.entries.put({
      ...place(realm, `link ${id}`),
      value: JSON.stringify(defined({ waiting, redirectUri }) satisfies StoredLoginLink),
      expiresAt: this.#clock.now() + lasts * 1000,
    });
    return { id, link, expiresIn: lasts, ...defined({ number: waiting?.number }) };
  }

  async find(realm: Realm, id: string): Promise<StoredLoginLink | undefined> {
    return this.#read(realm, `link ${id}`);
  }

  /** Uses up the link. @returns true for the first caller only */
  async redeem(realm: Realm, { id, expiresAt }: { readonly id: string; readonly expiresAt: number }): Promise<boolean> {
    const mark = { realm: realm.name, kind: 'login-link', keyHash: id, expiresAt: expiresAt * 1000 };
    const isFirst = await this.#store.marks.claim({ ...mark, now: this.#clock.now() });
    await this.#store.entries.delete(place(realm, `link ${id}`));
    return isFirst;
  }

  /** Approves a link opened in a browser other than that of its login. */
  async approve(realm: Realm, login: string, approval: LinkApproval): Promise<void> {
    await this.#store.entries.put({
      ...place(realm, `approved ${login}`),
      value: JSON.stringify(approval),
      expiresAt: this.#clock.now() + APPROVED_MS,
    });
  }

  /** The newest approval of that login from another browser. */
  approved(realm: Realm, login: string): Promise<LinkApproval | undefined> {
    return this.#read(realm, `approved ${login}`);
  }

  async #read<T>(realm: Realm, key: string): Promise<T | undefined> {
    const value = await this.#store.entries.get({ ...place(realm, key), now: this.#clock.now() });
    return value === undefined ? undefined : (JSON.parse(value) as T);
  }
}

function place({ name }: Realm, key: string) {
  return { realm: name, namespace: NAMESPACE, key };
}

/** @throws HostError `invalid_argument` */
function checked(request: LoginLinkRequest): LoginLinkRequest {
  const { userId, login, clientId, redirectUri, expiresIn } = request ?? {};
  if (typeof userId !== 'string') throw wrong('userId must be the id of a user');
  for (const [name, value] of Object.entries({ login, clientId, redirectUri })) {
    if (value !== undefined && typeof value !== 'string') throw wrong(`${name} must be a string`);
  }
  if (login !== undefined && (clientId !== undefined || redirectUri !== undefined)) {
    throw wrong('a link with login leads to the application of this login: leave out clientId and redirectUri');
  }
  if (expiresIn !== undefined && !(Number.isInteger(expiresIn) && expiresIn >= 1 && expiresIn <= LONGEST)) {
    throw wrong(`expiresIn must be a whole number of seconds from 1 to ${LONGEST}`);
  }
  return request;
}

function clientOf(realm: Realm, clientId: string | undefined): Client | undefined {
  if (clientId === undefined) return undefined;
  const client = realm.clients.get(clientId);
  if (client === undefined) throw wrong(`the realm has no client ${clientId}`);
  return client;
}

function wrong(what: string): HostError {
  return new HostError('invalid_argument', `loginLinks.issue: ${what}`);
}

/** Distinct two-digit numbers, and which of them is the right one. */
function numbers(): { readonly number: string; readonly choices: readonly string[] } {
  const found = new Set<string>();
  while (found.size < CHOICES) found.add(String(randomInt(10, 100)));
  const choices = [...found];
  return { number: choices[randomInt(CHOICES)] ?? '', choices };
}

/** The browser and IP address that started the login, shown to the user. */
function requestingDevice({ caller }: HostSession): { readonly browser: string; readonly ip: string } {
  const { browser, os } = readDevice(deviceNote(caller.login?.userAgent ?? ''));
  return { browser: `${browser.split('/')[0]} (${os})`, ip: caller.ip };
}
