import { BootError } from '../../config/boot-error.js';
import { ASYMMETRIC_ALGORITHMS, SYMMETRIC_ALGORITHMS, signatureAlgorithm } from '../../keys/algorithms.js';
import { KEY_PROVIDER } from '../../keys/component-key.js';
import { keyComponentsOf } from '../../keys/default-keys.js';
import { KeyRing } from '../../keys/key-ring.js';
import { knownComponentKeys, precedingComponent } from '../../keys/provided/component-keys.js';
import { StoredPublicKeys } from '../../keys/provided/stored-public-keys.js';
import { systemClock } from '../../model/clock.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import type { KeyRecord } from '../../store/interface/keys.js';
import type { RealmRecord } from '../../store/interface/realms.js';
import { formatStoreLocation, openStore } from '../../store/open-store.js';
import type { Store } from '../../store/store.js';
import { type Command, type CommandGroup, EXIT_CODES, MASTER_KEY_OPTIONS, STORE_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';

const REALM_OPTION = { flag: 'realm', value: 'NAME', help: 'realm of the keys; required' };
const SHARED = {
  details: 'Stop the server first if its store is SQLite.',
  serverOptions: [...STORE_OPTIONS, ...MASTER_KEY_OPTIONS],
  notes: EXIT_CODES,
  needsArguments: true,
} as const;

const list: Command = {
  ...SHARED,
  summary: 'Lists the keys of a realm: status, algorithm, use and kid; keys of plugins as last reported',
  usage: '--realm NAME',
  examples: [
    'keys list --realm demo',
    'keys list --realm master',
    'keys list --realm demo --data-dir /var/lib/keyhost',
  ],
  options: [REALM_OPTION],
  run: (line) =>
    runWithKeys(line, async (keys, record, store) => {
      const keyRow = (status: string, algorithm: string, use: string, remark: string) =>
        process.stdout.write(`${status.padEnd(8)} ${algorithm.padEnd(8)} ${use}  ${remark}\n`);
      for (const { status, algorithm, use, kid } of (await keys.realm(record.name)).list()) {
        keyRow(status, algorithm, use, kid);
      }
      for (const { component, status, keys } of await findPluginKeys(record, store)) {
        for (const { algorithm, kid } of keys ?? [])
          keyRow(status, algorithm, 'sig', `${kid}  of ${nameOf(component)}`);
        if (keys === undefined) keyRow(status, '?', 'sig', `not known yet  of ${nameOf(component)}`);
      }
    }),
};

const rotate: Command = {
  ...SHARED,
  summary: 'Creates a new signing key for a realm; the old keys still verify',
  usage: '--realm NAME [--algorithm ALGORITHM]',
  examples: [
    'keys rotate --realm demo',
    'keys rotate --realm demo --algorithm ES256',
    'keys rotate --realm demo --data-dir /var/lib/keyhost',
  ],
  options: [
    REALM_OPTION,
    {
      flag: 'algorithm',
      value: 'ALGORITHM',
      help: 'algorithm of the new key, such as RS256; default: the default signature algorithm of the realm',
    },
  ],
  run: (line) =>
    runWithKeys(line, async (keys, record, store) => {
      const { name, representation } = record;
      const algorithm = line.value('algorithm') ?? (representation.defaultSignatureAlgorithm || 'RS256');
      if (signatureAlgorithm(algorithm) === undefined) {
        const knownAlgorithms = [...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS].join(', ');
        line.usageError(`unknown algorithm "${algorithm}"`, `use one of ${knownAlgorithms}`);
      }
      const kid = await keys.rotate(name, algorithm);
      const newKey = (await keys.realm(name)).list().find((key) => key.kid === kid) as PublicKeyRecord;
      process.stdout.write(`${await describeSigningKey(newKey, record, store)} The older keys still verify.\n`);
    }),
};

type PublicKeyRecord = Omit<KeyRecord, 'material'>;

/** Describes the key that signs after a rotation, since a plugin's key may have priority over the new one. */
async function describeSigningKey(newKey: PublicKeyRecord, record: RealmRecord, store: Store): Promise<string> {
  const { name } = record;
  const { kid, algorithm, priority } = newKey;
  const precedingKey = precedingComponent(newKey, await findPluginKeys(record, store));
  if (precedingKey === undefined) return `Realm ${name} now signs ${algorithm} with ${kid}.`;
  const component = `the key component ${nameOf(precedingKey.component)}`;
  const reason = `priority ${precedingKey.priority}, the new key has ${priority}`;
  const signs = precedingKey.isKnown
    ? `Realm ${name} still signs ${algorithm} with the key of ${component}: it has ${reason}.`
    : `Realm ${name} signs with it unless ${component} has a key of ${algorithm}: that has ${reason}.`;
  return `Created the key ${kid} (${algorithm}). ${signs}`;
}

function findPluginKeys({ name, representation }: RealmRecord, store: Store) {
  const storedKeys = new StoredPublicKeys({ store, clock: systemClock });
  return knownComponentKeys(name, representation.components?.[KEY_PROVIDER] ?? [], storedKeys);
}

function nameOf({ name, id, providerId }: ComponentRepresentation): string {
  return `${name ?? id ?? ''} (${providerId})`;
}

export const keys: CommandGroup = {
  summary: 'Lists and rotates the keys of a realm',
  commands: { list: async () => list, rotate: async () => rotate },
};

/** Opens the store, and runs a function with the keys of the realm in `--realm`. @throws BootError */
async function runWithKeys(
  line: CommandLine,
  run: (keys: KeyRing, realm: RealmRecord, store: Store) => Promise<void>,
): Promise<void> {
  line.requireAtMostWords(0);
  const realm = line.required('realm');
  const options = line.server();
  const store = await openStore(options);
  try {
    const record = await store.realms.get(realm);
    if (record === undefined) {
      const names = (await store.realms.list()).map(({ name }) => name).join(', ');
      throw new BootError('options_invalid', `realm "${realm}" not found in ${formatStoreLocation(options)}`, {
        hint: `it contains the realms ${names}`,
      });
    }
    const ring = new KeyRing({
      store: store.keys,
      clock: systemClock,
      componentsOf: keyComponentsOf(store.realms),
      masterKey: options.masterKey,
    });
    await ring.realm(realm);
    await run(ring, record, store);
  } finally {
    await store.close();
  }
}
