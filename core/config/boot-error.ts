import { formatProblem, type Problem } from './problem.js';

/** The codes of errors of a start, a reload of plugins or a command, with descriptions. A test causes each error. */
export const BOOT_ERRORS = {
  options_invalid: 'a command-line option or environment variable is wrong',
  server_unreachable: 'no server answers at the address that a command asks',
  server_refused: 'a server refused what a command asked',
  sign_in_failed: 'a sign-in that a command waited for failed, or did not come',
  production_unsafe: 'production mode refuses an unsafe setting',
  plugins_file_invalid: 'plugins.json has mistakes',
  plugin_missing: 'a package named in plugins.json is not in the plugin folder',
  plugin_outside: 'a plugin is outside the plugin folder',
  plugin_dependency_missing: 'a plugin requires a package that is not installed',
  plugin_import_failed: 'a plugin could not be imported',
  plugin_shape: 'a plugin does not export what the SPI requires',
  plugin_api: 'a plugin was written for another SPI version',
  plugin_config: 'the configuration of a plugin in plugins.json is wrong',
  plugin_grants: 'a plugin requires rights that plugins.json does not grant',
  plugin_duplicate_id: 'two plugins have the same name or provider ID',
  plugin_reserved_id: 'a plugin uses an ID that is reserved for Keyhost',
  plugin_spi: 'two plugins declare the same SPI differently, or no plugin declares an SPI that is used',
  plugin_open_failed: 'opening a plugin failed',
  plugin_open_timeout: 'opening a plugin took too long',
  plugin_open_exit: 'a plugin ended its process or worker while it was loaded',
  plugin_tampering: 'a plugin changed built-ins that the whole process uses',
  plugin_install_failed: 'npm could not install a plugin',
  plugin_integrity: 'a plugin does not match its integrity in plugins.json',
  plugin_changing: 'a plugin package is still being written',
  plugin_copy: 'a plugin package could not be copied to run from there',
  plugin_dependency_changed: 'a dependency that a plugin shares with its previous version was changed',
  plugin_nodes: 'a node refused an update of plugins, and the others returned to the previous plugins',
  plugin_state: 'the state of a plugin could not be brought to the version of the plugin',
  plugin_rollback: 'a plugin has no previous version to return to',
  plugin_restart: 'a plugin has no worker, or its worker could not be restarted',
  grpc_proto: 'the proto file of a gRPC service is missing or does not match the service',
  realm_invalid: 'a realm file has mistakes',
  store_locked: 'another process uses the data directory',
  store_failed: 'the store could not be opened',
  backup_failed: 'a backup could not be created or restored',
  copy_failed: 'a store could not be copied into another',
  master_key: 'the master key is missing or wrong',
  bootstrap_admin: 'the bootstrap admin could not be created',
  listen_failed: 'the server could not listen on an address',
  service_duplicate: 'two modules of the host provide the same service',
  service_circle: 'services of the host depend on each other in a circle',
  service_missing: 'a service of the host depends on one that no module provides',
  close_failed: 'parts of the host did not close',
} as const;

export type BootErrorCode = keyof typeof BOOT_ERRORS;

/** The maximum number of problems in a report, since the beginning of a longer report scrolls out of sight. */
const REPORTED_PROBLEMS = 100;

/**
 * The reason why a start, a reload of plugins or a command failed, with the problems in files and a hint for the
 * operator.
 */
export class BootError extends Error {
  override readonly name = 'BootError';
  readonly code: BootErrorCode;
  readonly plugin: string | undefined;
  readonly problems: readonly Problem[];
  /** Advice to the operator. */
  readonly hint: string | undefined;

  constructor(
    code: BootErrorCode,
    message: string,
    options: { plugin?: string; problems?: readonly Problem[]; hint?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.plugin = options.plugin;
    this.problems = options.problems ?? [];
    this.hint = options.hint;
  }

  /** The report that a failed start prints: code, message, every problem on its line, and the hint. */
  report(): string {
    const lines = [`keyhost: ${this.message} [${this.code}]`];
    for (const problem of this.problems.slice(0, REPORTED_PROBLEMS)) lines.push(`  ${formatProblem(problem)}`);
    if (this.problems.length > REPORTED_PROBLEMS)
      lines.push(`  … and ${this.problems.length - REPORTED_PROBLEMS} more`);
    if (this.hint !== undefined) lines.push(`  → ${this.hint}`);
    return lines.join('\n');
  }
}
