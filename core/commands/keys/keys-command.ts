import { BootError } from '../../config/boot-error.js';
import { ASYMMETRIC_ALGORITHMS, SYMMETRIC_ALGORITHMS, signatureAlgorithm } from '../../keys/algorithms.js';
import { keyComponentsOf } from '../../keys/default-keys.js';
import { KeyRing } from '../../keys/key-ring.js';
import { systemClock } from '../../model/clock.js';
import type { RealmRecord } from '../../store/interface/realms.js';
import { openStore, placeOf } from '../../store/open-store.js';
import { type Command, type CommandGroup, EXIT_CODES, MASTER_KEY_OPTIONS, STORE_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';

const REALM = { flag: 'realm', value: 'NAME', help: 'realm of the keys; required' };
const SHARED = {
  details: 'Stop the server first if its store is SQLite.',
  serverOptions: [...STORE_OPTIONS, ...MASTER_KEY_OPTIONS],
  notes: EXIT_CODES,
  needsArguments: true,
} as const;

const list: Command = {
  ...SHARED,
  summary: 'Lists the keys of a realm: status, algorithm, use and kid',
  usage: '--realm NAME',
  examples: [
    'keys list --realm demo',
    'keys list --realm master',
    'keys list --realm demo --data-dir /var/lib/keyhost',
  ],
  options: [REALM],
  run: (line) =>
    withKeys(line, async (keys, { name }) => {
      for (const key of (await keys.realm(name)).list()) {
        process.stdout.write(`${key.status.padEnd(8)} ${key.algorithm.padEnd(8)} ${key.use}  ${key.kid}\n`);
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
    REALM,
    {
      flag: 'algorithm',
      value: 'ALGORITHM',
      help: 'algorithm of the new key, such as RS256; default: the default signature algorithm of the realm',
    },
  ],
  run: (line) =>
    withKeys(line, async (keys, { name, representation }) => {
      const algorithm = line.value('algorithm') ?? (representation.defaultSignatureAlgorithm || 'RS256');
      if (signatureAlgorithm(algorithm) === undefined) {
        const known = [...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS].join(', ');
        line.misused(`unknown algorithm "${algorithm}"`, `use one of ${known}`);
      }
      const kid = await keys.rotate(name, algorithm);
      process.stdout.write(`Realm ${name} now signs ${algorithm} with ${kid}. The older keys still verify.\n`);
    }),
};

export const keys: CommandGroup = {
  summary: 'Lists and rotates the keys of a realm',
  commands: { list: async () => list, rotate: async () => rotate },
};

/** Works on the data directory of a server that is stopped, or on a database. @throws BootError */
async function withKeys(line: CommandLine, work: (keys: KeyRing, realm: RealmRecord) => Promise<void>): Promise<void> {
  line.atMost(0);
  const realm = line.required('realm');
  const options = line.server();
  const store = await openStore(options);
  try {
    const record = await store.realms.get(realm);
    if (record === undefined) {
      const names = (await store.realms.list()).map(({ name }) => name).join(', ');
      throw new BootError('options_invalid', `realm "${realm}" not found in ${placeOf(options)}`, {
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
    await work(ring, record);
  } finally {
    await store.close();
  }
}
