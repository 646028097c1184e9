import { randomUUID } from 'node:crypto';
import {
  HostError,
  type Json,
  type OwnCredential,
  type OwnCredentialVerdict,
  type StoredCredential,
} from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import type { Events } from '../../registry/events/events.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { CredentialQuery, OwnCredentialCalls } from '../../registry/sessions/session-services.js';
import { identifiedCredentials } from '../../users/credentials/credential-list.js';
import type {
  RegisteredCredentialProvider,
  CredentialTypes,
  OwnedCredential,
} from '../../users/credentials/credential-types.js';
import { readValues, writeValues } from '../../users/credentials/credential-values.js';
import type { PasswordLogins } from '../../users/passwords/password-logins.js';
import type { Users } from '../../users/users.js';
import { requireSmall } from './credential-size.js';
import { verifyCredential } from './verify-credential.js';

const LABEL_LIMIT = 255;

/** A plugin's request for credentials: of which user, and by which provider. */
interface CredentialAccess extends CredentialQuery {
  readonly realm: Realm;
  readonly provider: RegisteredCredentialProvider;
  readonly user: User;
  readonly isProven: boolean;
}

interface Parts {
  readonly users: Users;
  readonly types: CredentialTypes;
  readonly clock: Clock;
  readonly passwordLogins: PasswordLogins;
  readonly events: Events;
  readonly sessions: SessionFactory;
}

/**
 * Lets the steps and required actions of a plugin use the credential types of that plugin, for the user of the current
 * login.
 */
export class PluginCredentials implements OwnCredentialCalls {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(request: CredentialQuery): Promise<readonly OwnCredential[]> {
    const asked = await this.#asked(request);
    return storedOf(asked.user, request.type).map((one) => visible(readValues(one)) ?? damaged(one));
  }

  async verify(request: CredentialQuery, input: Json, { id }: { id?: string } = {}): Promise<OwnCredentialVerdict> {
    const { passwordLogins, users } = this.#parts;
    const { realm, provider, user } = await this.#asked(request);
    const tried = storedOf(user, request.type).filter((one) => id === undefined || one.id === id);
    let right: StoredCredential | undefined;
    const refused = await passwordLogins.verifySecret(realm, user, request.session.caller.ip, async () => {
      for (const one of tried) {
        right = await verifyCredential({ users, realm, provider, userId: user.id }, one.id, input);
        if (right !== undefined) return true;
      }
      return false;
    });
    const credential = visible(right);
    if (refused === undefined && credential !== undefined) return { valid: true, credential };
    const isLocked = refused === 'user_temporarily_disabled';
    return { valid: false, error: isLocked ? 'user_temporarily_disabled' : 'invalid_user_credentials' };
  }

  async create(request: CredentialQuery, input: Json, { label }: { label?: string } = {}): Promise<OwnCredential> {
    const asked = await this.#asked(request);
    if (label !== undefined && typeof label !== 'string')
      throw new HostError('invalid_argument', 'ownCredentials.create: label must be a text');
    const { provider, user, type } = requireProven(asked);
    const { secret, data, label: own } = await provider.call((methods) => methods.create({ user: user.view, input }));
    const userLabel = (label ?? own ?? '').trim().slice(0, LABEL_LIMIT);
    const id = randomUUID();
    const createdDate = this.#parts.clock.now();
    const credential = {
      id,
      type,
      createdDate,
      ...writeValues({ secret, data }),
      ...(userLabel === '' ? {} : { userLabel }),
    };
    requireSmall(type, 'create', credential);
    await this.#changed(asked, 'UPDATE_CREDENTIAL', credential, (list) => [
      ...list.filter((one) => provider.declaration.single !== true || one.type !== type),
      credential,
    ]);
    return { id, createdDate, data, ...(userLabel === '' ? {} : { label: userLabel }) };
  }

  async remove(request: CredentialQuery, id: string): Promise<boolean> {
    const asked = requireProven(await this.#asked(request));
    const going = storedOf(asked.user, request.type).find((one) => one.id === id);
    if (going === undefined) return false;
    return this.#changed(asked, 'REMOVE_CREDENTIAL', going, (list) =>
      list.some((one) => one.id === id) ? list.filter((one) => one.id !== id) : undefined,
    );
  }

  /** @throws HostError `credential_type_not_own`, `credential_without_user` */
  async #asked(request: CredentialQuery): Promise<CredentialAccess> {
    const { session, plugin, type } = request;
    const realm = session.compiledRealm;
    const provider = this.#parts.types.provider(realm, type);
    if (provider?.plugin.name !== plugin) {
      throw new HostError(
        'credential_type_not_own',
        `${plugin} has no type of credentials "${type}" that is on in ${realm.name}`,
      );
    }
    const { subject } = session;
    const user = subject && (await this.#parts.users.byId(realm, subject.userId));
    if (subject === undefined || user === undefined) {
      throw new HostError('credential_without_user', 'ownCredentials: no login that knows its user asks for this');
    }
    return { ...request, realm, provider, user, isProven: subject.isProven };
  }

  /**
   * Changes the credentials of the user and emits the event.
   * @param change returns undefined if there is nothing to change
   * @returns false if there was nothing to change
   */
  async #changed(
    { realm, user, session }: CredentialAccess,
    type: string,
    { id, type: ofType, userLabel }: CredentialRepresentation,
    change: (list: readonly CredentialRepresentation[]) => CredentialRepresentation[] | undefined,
  ): Promise<boolean> {
    const { events, sessions, users } = this.#parts;
    const { caller } = session;
    const event = {
      type,
      userId: user.id,
      ipAddress: caller.ip,
      ...defined({ clientId: caller.login?.clientId }),
      details: defined({ credential_type: ofType, credential_id: id, credential_user_label: userLabel }),
    };
    let next: CredentialRepresentation[] | undefined;
    await events.emitWithChange(
      realm,
      () => next && event,
      () => sessions.create(realm, caller, 'keyhost'),
      () =>
        users.change(realm, user.id, (draft) => {
          next = change(identifiedCredentials(user.id, draft.credentials ?? []));
          if (next !== undefined) draft.credentials = next;
        }),
      { of: 'users' },
    );
    return next !== undefined;
  }
}

function storedOf({ id, credentials }: User, type: string): OwnedCredential[] {
  return (identifiedCredentials(id, credentials) as OwnedCredential[]).filter((one) => one.type === type);
}

/**
 * A login that knows only the username may not create or remove credentials. @throws HostError
 * `credential_user_unproven`
 */
function requireProven(asked: CredentialAccess): CredentialAccess {
  if (asked.isProven) return asked;
  throw new HostError(
    'credential_user_unproven',
    'ownCredentials: this login has not proven yet that it is the user. Create and remove credentials in a required action.',
  );
}

/** A damaged credential never verifies, but its user is still asked for it. */
function damaged({ id, userLabel, createdDate }: OwnedCredential): OwnCredential {
  return { id, ...defined({ label: userLabel || undefined, createdDate }), data: {} };
}

function visible(credential: StoredCredential | undefined): OwnCredential | undefined {
  if (credential === undefined) return undefined;
  const { secret: _, ...rest } = credential;
  return rest;
}
