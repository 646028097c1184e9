export interface PackageFolder {
  readonly name: string;
  readonly folder: string;
}

/** The package of node_modules that a file is of; undefined for the host's own. */
export function packageOf(file: string): PackageFolder | undefined {
  const [folder, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
  return folder === undefined || name === undefined ? undefined : { name: name.replaceAll('\\', '/'), folder };
}
