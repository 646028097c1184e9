import { Clock, Log, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins, RealmProviders } from '../di/providers.js';
import { token } from '../di/token.js';
import { Store } from '../store/module.js';
import { WriteConditions } from '../store/write-conditions.js';
import { builtInCredentialTypes } from './credentials/built-in-credential-types.js';
import { CredentialTypes } from './credentials/credential-types.js';
import { builtInPasswordHashes } from './passwords/built-in-password-hashes.js';
import { builtInPasswordPolicies } from './passwords/built-in-password-policies.js';
import { HashFormats } from './passwords/hash-formats.js';
import { deriveInThread, type HashJob } from './passwords/hash-threads.js';
import { LoginFailures, type OnLockout as OnLockoutOf } from './passwords/login-failures.js';
import { PasswordBlacklists } from './passwords/password-blacklists.js';
import { PASSWORD_QUEUE_LIMIT, PasswordHasher } from './passwords/password-hasher.js';
import { PasswordLogins } from './passwords/password-logins.js';
import { Passwords } from './passwords/passwords.js';
import { builtInValidators } from './profile/built-in-validators.js';
import { PluginValidators } from './profile/plugin-validators.js';
import { Users } from './users.js';

/** Maximum number of passwords that wait for hashing. */
export const PasswordQueueLimit = token<number>('PasswordQueueLimit');
/** Derives the hash of a password. */
export const DeriveHash = token<(job: HashJob) => Promise<Buffer>>('DeriveHash');
/** Timeout in milliseconds for a provider whose answer is optional: shorter than users wait for a page. */
export const ShortCallTimeout = token<number>('ShortCallTimeout');
const SHORT_CALL_LIMIT_MS = 3000;
/** Emits the events of users whom failed logins lock out. */
export const OnLockout = token<OnLockoutOf>('OnLockout');

export const users = module('users', [
  service(WriteConditions, () => new WriteConditions()),
  service(Users, (use) => new Users(use(Store), use(WriteConditions))),
  service(PasswordBlacklists, (use) => new PasswordBlacklists(use(Options).passwordBlacklistsDir, use(Clock))),
  service(PasswordQueueLimit, () => PASSWORD_QUEUE_LIMIT),
  service(DeriveHash, () => deriveInThread),
  service(
    PasswordHasher,
    (use) =>
      new PasswordHasher({
        queueLimit: use(PasswordQueueLimit),
        derive: use(DeriveHash),
        formats: new HashFormats(use(Store), use(Clock)),
        onWarning: ({ message, realm, credentialId = '' }) => use(Log).warn(message, { realm, credentialId }),
      }),
  ),
  service(Passwords, (use) => new Passwords({ hasher: use(PasswordHasher), providers: use(RealmProviders) })),
  service(ShortCallTimeout, () => SHORT_CALL_LIMIT_MS),
  service(
    PluginValidators,
    (use) =>
      new PluginValidators({
        providers: use(RealmProviders),
        logger: use(Log),
        shortLimitMs: use(ShortCallTimeout),
      }),
  ),
  service(
    LoginFailures,
    (use) => new LoginFailures({ users: use(Users), store: use(Store), clock: use(Clock), onLockout: use(OnLockout) }),
  ),
  service(
    CredentialTypes,
    (use) => new CredentialTypes({ providers: use(RealmProviders), shortLimitMs: use(ShortCallTimeout) }),
  ),
  service(
    PasswordLogins,
    (use) =>
      new PasswordLogins({
        users: use(Users),
        passwords: use(Passwords),
        failures: use(LoginFailures),
        types: use(CredentialTypes),
      }),
  ),
  adds(BuiltInPlugins, (use) => [
    builtInValidators,
    builtInPasswordPolicies(use(PasswordBlacklists)),
    builtInPasswordHashes(use(PasswordHasher)),
    builtInCredentialTypes,
  ]),
]);
