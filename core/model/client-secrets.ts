/** Keycloak's attributes of a client that tell of its secret. Times are seconds since the epoch, as texts. */
export const SECRET = {
  createdAt: 'client.secret.creation.time',
  expiresAt: 'client.secret.expiration.time',
  /** The secret before, which is good for a while. */
  rotated: 'client.secret.rotated',
  rotatedAt: 'client.secret.rotated.creation.time',
  rotatedExpiresAt: 'client.secret.rotated.expiration.time',
} as const;

type Attributes = Readonly<Record<string, string>>;

/** Whether a time of an attribute has come. Without one it never does. @param now milliseconds since the epoch */
export function hasCome(attribute: string | undefined, now: number): boolean {
  const at = Number(attribute);
  return attribute !== undefined && attribute !== '' && at > 0 && at * 1000 <= now;
}

/** What stands for a secret where it is not shown: nobody's secret, wherever it comes back from. */
const MASK = '**********';

/** The secret before the one that is; undefined where there is none. Its time may be over. */
export function rotatedSecret(attributes: Attributes = {}): string | undefined {
  const { [SECRET.rotated]: secret, [SECRET.rotatedAt]: at } = attributes;
  return secret && secret !== MASK && at ? secret : undefined;
}

/** Without the secret before, of which nothing is left to be told. */
export function withoutRotated(attributes: Attributes = {}): Record<string, string> {
  const { [SECRET.rotated]: _, [SECRET.rotatedAt]: __, [SECRET.rotatedExpiresAt]: ___, ...others } = attributes;
  return others;
}
