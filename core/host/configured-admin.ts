import { readFile } from 'node:fs/promises';
import { BootError } from '../config/boot-error.js';
import type { HostOptions } from '../config/options/options.js';
import { codeOf } from '../model/thrown.js';

/** The bootstrap admin that the options name. */
export interface ConfiguredAdmin {
  readonly username: string;
  /**
   * Reads the password, possibly from its file. Called only while the admin does not exist, so that the file may be
   * deleted later.
   * @throws BootError `bootstrap_admin`
   */
  password(): Promise<string>;
}

export function readConfiguredAdmin(options: HostOptions): ConfiguredAdmin | undefined {
  const { bootstrapAdminUsername: username, bootstrapAdminPassword: password } = options;
  if (username === undefined) return undefined;
  return { username, password: async () => password ?? readPassword(options.bootstrapAdminPasswordFile ?? '') };
}

/**
 * Reads the password file, without the final line break that editors and `echo` write.
 * @throws BootError `bootstrap_admin`
 */
async function readPassword(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw passwordFileError(`cannot be read: ${codeOf(cause) ?? 'error'}`, file, cause);
  }
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw passwordFileError('is empty', file);
  return password;
}

function passwordFileError(reason: string, file: string, cause?: unknown): BootError {
  return new BootError('bootstrap_admin', `--bootstrap-admin-password-file: ${file} ${reason}`, {
    hint: 'the file contains only the password of the first admin',
    cause,
  });
}
