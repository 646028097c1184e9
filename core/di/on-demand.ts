/** Something that is imported and made when it is first asked for: most hosts are asked for tokens long before, or only. */
export class OnDemand<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;
  #loaded: T | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Undefined until somebody has asked. */
  get loaded(): T | undefined {
    return this.#loaded;
  }

  /** What failed is tried again by the next who asks. */
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
