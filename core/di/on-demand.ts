/**
 * A value that is imported and created on first use. This speeds up the start, because many hosts use it late or never.
 */
export class OnDemand<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;
  #loaded: T | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** The value; undefined before the first use has completed. */
  get loaded(): T | undefined {
    return this.#loaded;
  }

  /** Returns the value. After a failure, the next call tries again. */
  get(): Promise<T> {
    this.#loading ??= this.#load().then(
      (value) => {
        this.#loaded = value;
        return value;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}
