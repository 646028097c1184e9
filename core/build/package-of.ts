export interface PackageFolder {
  readonly name: string;
  readonly folder: string;
}

/** The package in node_modules that a file belongs to; undefined for the host's own files. */
export function packageOf(file: string): PackageFolder | undefined {
  const [folder, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
  return folder === undefined || name === undefined ? undefined : { name: name.replaceAll('\\', '/'), folder };
}
