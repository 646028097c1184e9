import { realmFilesOf } from '../../config/realm-file/realm-folder.js';
import { importKnownPlugins } from '../../host/known-plugins.js';
import { systemClock } from '../../model/clock.js';
import { type CheckedFile, type FileChecks, readValidFiles } from '../../realm-files/checked-file.js';
import { PasswordBlacklists } from '../../users/passwords/password-blacklists.js';
import { PLUGIN_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';

/** The option `--production` of commands that read realm files. */
export const PRODUCTION = {
  flag: 'production',
  help: 'the checks of keyhost start: no default values of references, no provider without authentication, no setting that is not supported',
};

/** The server's options that the checks read. */
export const CHECK_OPTIONS = [...PLUGIN_OPTIONS, 'allow-open-providers', 'password-blacklists-dir'];

/** The inputs to the checks of realm files. @throws BootError for an invalid plugins.json */
export async function checksOf(line: CommandLine): Promise<FileChecks> {
  const options = line.server();
  const { providers, hasLeftOutPlugin } = await importKnownPlugins(options, line.env);
  const blacklists = new PasswordBlacklists(options.passwordBlacklistsDir, systemClock);
  return {
    env: line.env,
    providers,
    hasLeftOutPlugin,
    blacklists,
    production: line.has('production') ? options : undefined,
  };
}

/** Reads and checks the realms of the file in the command's only word. @throws BootError with every mistake */
export async function checkedFile(line: CommandLine): Promise<{ files: readonly CheckedFile[]; checks: FileChecks }> {
  const path = line.word('FILE');
  const checks = await checksOf(line);
  return { files: await readValidFiles(await realmFilesOf(path), checks), checks };
}
