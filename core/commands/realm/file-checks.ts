import { realmFilesOf } from '../../config/realm-file/realm-folder.js';
import { knownPlugins } from '../../host/known-plugins.js';
import { systemClock } from '../../model/clock.js';
import { type CheckedFile, type FileChecks, readFlawlessFiles } from '../../realm-files/checked-file.js';
import { PasswordBlacklists } from '../../users/passwords/password-blacklists.js';
import { PLUGIN_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';

/** An option of each command that reads realm files. */
export const PRODUCTION = {
  flag: 'production',
  help: 'the checks of keyhost start: no default values of references, no provider without authentication, no setting that is not supported',
};

/** Options of the server that the checks read. */
export const CHECK_OPTIONS = [...PLUGIN_OPTIONS, 'allow-open-providers', 'password-blacklists-dir'];

/** What files are checked against. @throws BootError for a broken plugins.json */
export async function checksOf(line: CommandLine): Promise<FileChecks> {
  const options = line.server();
  const { providers, someLeftOut } = await knownPlugins(options, line.env);
  const blacklists = new PasswordBlacklists(options.passwordBlacklistsDir, systemClock);
  return {
    env: line.env,
    providers,
    someLeftOut,
    blacklists,
    production: line.has('production') ? options : undefined,
  };
}

/** The realms of the one file that the words name. @throws BootError with every mistake */
export async function checkedFile(line: CommandLine): Promise<{ files: readonly CheckedFile[]; checks: FileChecks }> {
  const path = line.word('FILE');
  const checks = await checksOf(line);
  return { files: await readFlawlessFiles(await realmFilesOf(path), checks), checks };
}
