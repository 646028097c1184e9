interface Waiting {
  readonly begin: () => void;
  next: Waiting | undefined;
}

/** Lets so many things run at a time; the others wait in their order. */
export class Turns {
  #free: number;
  // Not an array: taking its first element moves all others, and any number may wait.
  #first: Waiting | undefined;
  #last: Waiting | undefined;

  constructor(atATime: number) {
    this.#free = atATime;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#first;
      if (next === undefined) this.#free += 1;
      else {
        this.#first = next.next;
        next.begin();
      }
    }
  }

  #turn(): Promise<void> {
    return new Promise((begin) => {
      const waiting: Waiting = { begin, next: undefined };
      if (this.#first === undefined) this.#first = waiting;
      else if (this.#last !== undefined) this.#last.next = waiting;
      this.#last = waiting;
    });
  }
}
