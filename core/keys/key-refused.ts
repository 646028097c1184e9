/** Thrown if a key is rejected. The message contains no part of the key. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
  readonly code = 'key_refused';
  /** The member of the component's `config`, or `providerId`, that is wrong. */
  readonly key: string | undefined;
  /** The word that was probably meant. */
  readonly suggestion: string | undefined;

  constructor(message: string, key?: string, suggestion?: string) {
    super(message);
    this.key = key;
    this.suggestion = suggestion;
  }
}
