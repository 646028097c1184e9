export interface PackageFolder {
  readonly name: string;
  readonly folder: string;
}

/** Returns the package in node_modules to which a file belongs; undefined for the host's own files. */
export function packageOf(file: string): PackageFolder | undefined {
  const [folder, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
  return folder === undefined || name === undefined ? undefined : { name: name.replaceAll('\\', '/'), folder };
}
