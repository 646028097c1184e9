import { randomUUID } from 'node:crypto';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import { addAdmin, toAdminUser } from '../../host/add-admin.js';
import { createMaster } from '../../host/master-realm.js';
import { KeyRing } from '../../keys/key-ring.js';
import { systemClock } from '../../model/clock.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { ApplyServices } from '../../realms/apply-realm-file.js';
import { PublicAddress } from '../../realms/public-address.js';
import { RealmEdits } from '../../realms/realm-edits.js';
import { Realms } from '../../realms/realms.js';
import { openStore } from '../../store/open-store.js';
import { HashFormats } from '../../users/passwords/hash-formats.js';
import { PasswordHasher } from '../../users/passwords/password-hasher.js';
import { Users } from '../../users/users.js';
import { type Command, type CommandGroup, EXIT_CODES, MASTER_KEY_OPTIONS, STORE_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { askPassword } from '../prompts/ask-password.js';

const DEFAULT_NAME = 'temp-admin';
/** Keycloak's attribute of admins and clients that must be deleted later. */
const TEMPORARY_ATTRIBUTE = 'is_temporary_admin';

const SHARED = {
  details: `Sign in as the temporary admin, create an admin of your own, and delete the temporary one. Stop the
server first if its store is SQLite. Without an option for the secret, the command asks for it.`,
  serverOptions: [...STORE_OPTIONS, ...MASTER_KEY_OPTIONS],
  notes: EXIT_CODES,
  needsArguments: true,
} as const;

const NO_PROMPT = { flag: 'no-prompt', help: 'failure instead of a question for a missing secret' };

const user: Command = {
  ...SHARED,
  summary: 'Creates a temporary user with the role admin in the realm master',
  usage: '[--username NAME] [--password:env VARIABLE]',
  examples: [
    'bootstrap-admin user --username rescue',
    'bootstrap-admin user --password:env ADMIN_PASSWORD',
    'bootstrap-admin user --username rescue --password:env ADMIN_PASSWORD --no-prompt',
  ],
  options: [
    { flag: 'username', value: 'NAME', default: DEFAULT_NAME, help: 'username' },
    { flag: 'username:env', value: 'VARIABLE', help: 'environment variable with the username' },
    { flag: 'password:env', value: 'VARIABLE', help: 'environment variable with the password' },
    NO_PROMPT,
  ],
  run: (line) =>
    createTemporaryAdmin(line, { kind: 'user', nameOption: 'username', secretOption: 'password', add: addUser }),
};

const service: Command = {
  ...SHARED,
  summary: 'Creates a temporary client whose service account has the role admin',
  usage: '[--client-id ID] [--client-secret:env VARIABLE]',
  examples: [
    'bootstrap-admin service --client-id rescue',
    'bootstrap-admin service --client-secret:env ADMIN_SECRET',
    'bootstrap-admin service --client-id rescue --client-secret:env ADMIN_SECRET --no-prompt',
  ],
  options: [
    { flag: 'client-id', value: 'ID', default: DEFAULT_NAME, help: 'client ID' },
    { flag: 'client-id:env', value: 'VARIABLE', help: 'environment variable with the client ID' },
    { flag: 'client-secret:env', value: 'VARIABLE', help: 'environment variable with the client secret' },
    NO_PROMPT,
  ],
  run: (line) =>
    createTemporaryAdmin(line, {
      kind: 'client',
      nameOption: 'client-id',
      secretOption: 'client-secret',
      add: addService,
    }),
};

/** The commands `bootstrap-admin user` and `bootstrap-admin service`, as in Keycloak. */
export const bootstrapAdmin: CommandGroup = {
  summary: 'Creates a temporary admin if you have no access to the realm master',
  commands: { user: async () => user, service: async () => service },
};

interface TemporaryAdmin {
  readonly kind: string;
  /** The option for the admin's name. `secretOption` is that for the secret. */
  readonly nameOption: string;
  readonly secretOption: string;
  add(services: ApplyServices, name: string, secret: string): Promise<void>;
}

/** @throws BootError `store_locked` if a server runs; `bootstrap_admin` if the name is taken */
async function createTemporaryAdmin(
  line: CommandLine,
  { kind, nameOption, secretOption, add }: TemporaryAdmin,
): Promise<void> {
  line.requireAtMostWords(0);
  const name = line.value(nameOption) ?? line.fromEnvironment(`${nameOption}:env`) ?? DEFAULT_NAME;
  const secretOfEnvironment = line.fromEnvironment(`${secretOption}:env`);
  const canAsk = !line.has('no-prompt') && process.stdin.isTTY;
  const host = line.server();
  const label = secretOption.replace('-', ' ');
  const secret = secretOfEnvironment ?? (canAsk ? await askPassword(`${label} of ${name}: `) : undefined);
  if (secret === undefined) {
    line.usageError(`the ${label} is missing`, `name the variable that contains it: --${secretOption}:env VARIABLE`);
  }
  await withMaster(host, (services) => add(services, name, secret));
  process.stdout.write(
    `Created the ${kind} ${name} with the role admin in the realm master. It is temporary: delete it when you no longer need it.\n`,
  );
}

async function withMaster(options: HostOptions, run: (services: ApplyServices) => Promise<void>) {
  const { masterKey } = options;
  const store = await openStore(options);
  try {
    const services: ApplyServices = {
      store,
      realms: new Realms(store, new PublicAddress('')),
      users: new Users(store),
      clock: systemClock,
      keys: new KeyRing({ store: store.keys, clock: systemClock, masterKey }),
      passwords: new PasswordHasher({
        formats: new HashFormats(store, systemClock),
        onWarning: ({ message }) => process.stderr.write(`keyhost: ${message}\n`),
      }),
    };
    if ((await store.realms.get(MASTER_REALM)) === undefined) await createMaster(services, []);
    await run(services);
  } finally {
    await store.close();
  }
}

function addUser(services: ApplyServices, username: string, password: string): Promise<void> {
  return addAdmin(services, toAdminUser({ username, password }, { attributes: { [TEMPORARY_ATTRIBUTE]: ['true'] } }));
}

/** Creates a client with its service account in one write. */
async function addService(services: ApplyServices, clientId: string, secret: string): Promise<void> {
  const edits = new RealmEdits(services, { providers: [], hasLeftOutPlugin: true, blacklists: undefined });
  await edits.edit(MASTER_REALM, (master, { newUsers }) => {
    if (master.clients?.some((client) => client.clientId === clientId)) throw takenError('client', clientId);
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
      attributes: { [TEMPORARY_ATTRIBUTE]: 'true' },
    };
    master.clients = [...(master.clients ?? []), client];
    const { credentials: _, ...account } = toAdminUser({ username: `service-account-${clientId}`, password: '' });
    newUsers.push({ ...account, serviceAccountClientId: clientId, attributes: { [TEMPORARY_ATTRIBUTE]: ['true'] } });
  });
}

function takenError(noun: string, name: string): BootError {
  return new BootError('bootstrap_admin', `the ${noun} ${name} already exists in the realm master`, {
    hint: 'choose another name',
  });
}
