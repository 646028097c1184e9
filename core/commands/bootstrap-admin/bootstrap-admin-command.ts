import { randomUUID } from 'node:crypto';
import { BootError } from '../../config/boot-error.js';
import { type HostOptions, parseOptions } from '../../config/options/options.js';
import { addAdmin, adminUser } from '../../host/given-admin.js';
import { makeMaster } from '../../host/master-realm.js';
import { KeyRing } from '../../keys/key-ring.js';
import { systemClock } from '../../model/clock.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { ApplyServices } from '../../realms/apply-realm-file.js';
import { PublicAddress } from '../../realms/public-address.js';
import { RealmEdits } from '../../realms/realm-edits.js';
import { Realms } from '../../realms/realms.js';
import { openStore } from '../../store/open-store.js';
import { PasswordHasher } from '../../users/passwords/password.js';
import { Users } from '../../users/users.js';
import { explained, misused, separate, take, takeFlag } from '../command-line.js';
import { askPassword } from './ask-password.js';

const HELP = `keyhost bootstrap-admin: a temporary admin of the realm master, made while no host runs

  keyhost bootstrap-admin user [--username NAME] [--password:env VARIABLE]
      Adds a user with the role admin, called temp-admin unless something else is said. Without --password:env the
      password is asked for.

  keyhost bootstrap-admin service [--client-id ID] [--client-secret:env VARIABLE]
      Adds a confidential client whose service account has the role admin, called temp-admin unless something else is
      said. Without --client-secret:env the secret is asked for.

  --username:env and --client-id:env take the name out of a variable too. --no-prompt: nothing is asked for; what is
  missing is an error. Log in, put things right, make an admin of your own, and remove this one.
  The places are those of the host: --data-dir, --master-key-file; keyhost --help.
`;
const TEMPORARY = 'temp-admin';
/** Keycloak's mark of what is meant to be removed again. */
const MARK = 'is_temporary_admin';
const VALUED = ['username', 'username:env', 'password:env', 'client-id', 'client-id:env', 'client-secret:env'];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `keyhost bootstrap-admin user|service` (Keycloak's command of that name). Sets the exit code.
 * @throws BootError `store_locked` when a host runs; `bootstrap_admin` when the name is taken
 */
export async function bootstrapAdminCommand(argv: readonly string[], env: Environment): Promise<void> {
  if (explained(argv, HELP)) return;
  const [kind, ...rest] = argv;
  if (kind !== 'user' && kind !== 'service') {
    misused(`there is no command "bootstrap-admin ${kind}"`, 'it is user or service: keyhost bootstrap-admin --help');
  }
  const { words, options } = separate(
    rest,
    ['--no-prompt'],
    VALUED.map((name) => `--${name}`),
  );
  const [nameOption, secretOption] = kind === 'user' ? ['username', 'password'] : ['client-id', 'client-secret'];
  const name = take(words, `--${nameOption}`) ?? fromVariable(words, `${nameOption}:env`, env) ?? TEMPORARY;
  const given = fromVariable(words, `${secretOption}:env`, env);
  const mayAsk = !takeFlag(words, '--no-prompt') && process.stdin.isTTY;
  if (words.length > 0) misused(`${kind} does not take ${words[0]}`, 'keyhost bootstrap-admin --help');
  const host = parseOptions(options, env, 'start-dev');
  const secret = given ?? (mayAsk ? await askPassword(`The ${secretOption} of ${name}: `) : undefined);
  if (secret === undefined) {
    misused(`the ${secretOption} is missing`, `name the variable that holds it: --${secretOption}:env VARIABLE`);
  }
  await withMaster(host, (services) => (kind === 'user' ? addUser : addService)(services, name, secret));
  const what = kind === 'user' ? 'user' : 'client';
  process.stdout.write(
    `The ${what} ${name} of realm master has the role admin. It is temporary: remove it when it has served.\n`,
  );
}

/** The value of the variable that an option names. */
function fromVariable(words: string[], option: string, env: Environment): string | undefined {
  const variable = take(words, `--${option}`);
  if (variable === undefined) return undefined;
  return env[variable] || misused(`--${option}: ${variable} is not set`, 'keyhost bootstrap-admin --help');
}

async function withMaster(options: HostOptions, work: (services: ApplyServices) => Promise<void>) {
  const { masterKey } = options;
  const store = await openStore(options);
  try {
    const services: ApplyServices = {
      store,
      realms: new Realms(store, new PublicAddress('')),
      users: new Users(store),
      clock: systemClock,
      keys: new KeyRing({ store: store.keys, clock: systemClock, masterKey }),
      passwords: new PasswordHasher({ onWarning: ({ message }) => process.stderr.write(`keyhost: ${message}\n`) }),
    };
    if ((await store.realms.get(MASTER_REALM)) === undefined) await makeMaster(services, []);
    await work(services);
  } finally {
    await store.close();
  }
}

function addUser(services: ApplyServices, username: string, password: string): Promise<void> {
  return addAdmin(services, adminUser({ username, password }, { attributes: { [MARK]: ['true'] } }));
}

/** A client and its service account, in one write. */
async function addService(services: ApplyServices, clientId: string, secret: string): Promise<void> {
  const edits = new RealmEdits(services, { providers: [], someLeftOut: true });
  await edits.edit(MASTER_REALM, (master, { newUsers }) => {
    if (master.clients?.some((client) => client.clientId === clientId)) throw taken('client', clientId);
    const client = {
      id: randomUUID(),
      clientId,
      name: 'Temporary admin',
      enabled: true,
      protocol: 'openid-connect',
      secret,
      publicClient: false,
      standardFlowEnabled: false,
      directAccessGrantsEnabled: false,
      serviceAccountsEnabled: true,
      attributes: { [MARK]: 'true' },
    };
    master.clients = [...(master.clients ?? []), client];
    const { credentials: _, ...account } = adminUser({ username: `service-account-${clientId}`, password: '' });
    newUsers.push({ ...account, serviceAccountClientId: clientId, attributes: { [MARK]: ['true'] } });
  });
}

function taken(what: string, name: string): BootError {
  return new BootError('bootstrap_admin', `the realm master has a ${what} ${name} already`, {
    hint: 'choose another name',
  });
}
