interface Waiting {
  readonly begin: () => void;
  next: Waiting | undefined;
}

/** A queue that lets a limited number of tasks run at a time; the others wait in order. */
export class ConcurrencyLimit {
  #free: number;
  // A linked list, because removing the first element of an array moves all others, and there is no limit on waiting
  // tasks.
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
