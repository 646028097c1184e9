/** The parts of a Keycloak version that decide which migrations a file needs. */
export interface KeycloakVersion {
  readonly numbers: readonly [number, number, number];
  /** True for `4.6.0.Final`, which Keycloak considers older than `4.6.0`. */
  readonly hasSuffix: boolean;
}

/** The Keycloak version of each version of Red Hat's product (from Keycloak's DefaultMigrationManager). */
const PRODUCT: Readonly<Record<string, string>> = {
  '7.0': '1.9.8',
  '7.1': '2.5.5',
  '7.2': '3.4.3',
  '7.3': '4.8.3',
  '7.4': '9.0.3',
};

/** Parses `keycloakVersion`. A text that is no version counts as the oldest version, as in Keycloak. */
export function keycloakVersion(text: string): KeycloakVersion {
  const product = PRODUCT[/^(7\.\d)\.\d+\.GA$/.exec(text)?.[1] ?? ''];
  const [, major, minor = '0', micro = '0', suffix] = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(\.)?/.exec(product ?? text) ?? [];
  return {
    numbers: [Number(major ?? 0), Number(minor), Number(micro)],
    hasSuffix: major !== undefined && suffix !== undefined,
  };
}

export function isBefore({ numbers, hasSuffix }: KeycloakVersion, release: string): boolean {
  const { numbers: other } = keycloakVersion(release);
  const firstDifference = numbers.findIndex((number, index) => number !== other[index]);
  return firstDifference === -1 ? hasSuffix : (numbers[firstDifference] ?? 0) < (other[firstDifference] ?? 0);
}
