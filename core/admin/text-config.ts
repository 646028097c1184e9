import { isSecretName, MASK } from './mask-representation.js';

/** Keycloak's `config`: texts by key, or lists of texts. */
type Config<V extends string | string[]> = Readonly<Record<string, V>>;
/** What is sent: nulls stand for nothing. */
type SentConfig<V extends string | string[]> = Readonly<
  Record<string, (V extends string ? string : readonly (string | null)[]) | null>
>;

/** A copy with the texts masked whose key is the name of a secret. */
export function maskTexts<V extends string | string[]>(config: Config<V> = {}): Record<string, V> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      isSecretName(key) && textsOf(value).length > 0 ? (typeof value === 'string' ? MASK : [MASK]) : value,
    ]),
  ) as Record<string, V>;
}

/**
 * A configuration after what was sent: what is absent stays, what is empty or null goes, and a secret that comes back
 * masked is the one that is there.
 */
export function mergedTexts<V extends string | string[]>(
  before: Config<V> = {},
  sent: SentConfig<V> = {},
): Record<string, V> {
  const merged = new Map<string, V>(Object.entries(before));
  for (const [key, value] of Object.entries(sent)) {
    const texts = textsOf(value);
    if (isSecretName(key) && texts[0] === MASK) continue;
    if (texts.length === 0) merged.delete(key);
    else merged.set(key, (typeof value === 'string' ? value : texts) as V);
  }
  return Object.fromEntries(merged);
}

/** What was sent, without what is empty or null; a secret that comes back masked is the one that is there. */
export function replacedTexts<V extends string | string[]>(
  before: Config<V> = {},
  sent: SentConfig<V> = {},
): Record<string, V> {
  const kept = Object.entries(before).filter(
    ([key]) => textsOf(Object.hasOwn(sent, key) ? sent[key] : null)[0] === MASK,
  );
  return mergedTexts<V>(Object.fromEntries(kept) as Config<V>, sent);
}

function textsOf(value: string | readonly (string | null)[] | null | undefined): string[] {
  return [value].flat().filter((text): text is string => typeof text === 'string' && text !== '');
}
