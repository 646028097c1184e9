import { BootError } from '../../config/boot-error.js';
import { parseOptions } from '../../config/options/options.js';
import { ASYMMETRIC_ALGORITHMS, SYMMETRIC_ALGORITHMS, signatureAlgorithm } from '../../keys/algorithms.js';
import { keyComponentsOf } from '../../keys/default-keys.js';
import { KeyRing } from '../../keys/key-ring.js';
import { systemClock } from '../../model/clock.js';
import { openStore, placeOf } from '../../store/open-store.js';
import { explained, take } from '../command-line.js';

const HELP = `keyhost keys: the keys of a realm, while no host runs on its data directory, or of a database

  keyhost keys list --realm NAME [options]
      Tells its keys: status, algorithm, use and kid, a line each.
  keyhost keys rotate --realm NAME [--algorithm RS256] [options]
      Makes a new signing key; the old one still verifies.

  --data-dir, the options of the database and those of the master key are those of keyhost start (keyhost --help).
`;

/** `keyhost keys rotate|list --realm NAME`: works on the data directory of a host that is stopped, or on its database. */
export async function keysCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (explained(argv, HELP)) return;
  const [action, ...rest] = argv;
  const realm = take(rest, '--realm');
  const algorithm = take(rest, '--algorithm');
  if ((action !== 'rotate' && action !== 'list') || realm === undefined) {
    throw new BootError('options_invalid', 'keys needs an action and a realm', {
      hint: 'keyhost keys rotate --realm demo [--algorithm RS256], or keyhost keys list --realm demo',
    });
  }
  const options = parseOptions(rest, env, 'start-dev');
  const store = await openStore(options);
  try {
    const record = await store.realms.get(realm);
    if (record === undefined) {
      const names = (await store.realms.list()).map(({ name }) => name).join(', ');
      throw new BootError('options_invalid', `there is no realm "${realm}" in ${placeOf(options)}`, {
        hint: `it holds ${names}`,
      });
    }
    const { masterKey } = options;
    const keys = new KeyRing({
      store: store.keys,
      clock: systemClock,
      componentsOf: keyComponentsOf(store.realms),
      masterKey,
    });
    await keys.realm(realm);
    if (action === 'rotate') {
      const name = algorithm ?? (record.representation.defaultSignatureAlgorithm || 'RS256');
      if (signatureAlgorithm(name) === undefined) {
        throw new BootError('options_invalid', `there are no realm keys for the algorithm "${name}"`, {
          hint: `it is one of ${[...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS].join(', ')}`,
        });
      }
      const kid = await keys.rotate(realm, name);
      process.stdout.write(`${name} of realm ${realm} is now signed with ${kid}; the older keys still verify\n`);
      return;
    }
    for (const key of (await keys.realm(realm)).list()) {
      process.stdout.write(`${key.status.padEnd(8)} ${key.algorithm.padEnd(8)} ${key.use}  ${key.kid}\n`);
    }
  } finally {
    await store.close();
  }
}
