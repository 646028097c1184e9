import { Clock, Log, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins, RealmProviders } from '../di/providers.js';
import { filesVault } from './files-vault.js';
import { VaultSecrets } from './vault-secrets.js';

export const vault = module('vault', [
  service(
    VaultSecrets,
    (use) => new VaultSecrets({ providers: use(RealmProviders), clock: use(Clock), logger: use(Log) }),
  ),
  adds(BuiltInPlugins, (use) => [filesVault(use(Options).vaultDir)]),
]);
