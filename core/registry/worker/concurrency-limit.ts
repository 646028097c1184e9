interface WaitingTask {
  readonly begin: () => void;
  next: WaitingTask | undefined;
}

/** Runs a limited number of tasks at a time. Further tasks wait in order. */
export class ConcurrencyLimit {
  #freeSlots: number;
  // A linked list, because `shift` moves all elements of an array, and the number of waiting tasks is unlimited.
  #firstWaiting: WaitingTask | undefined;
  #lastWaiting: WaitingTask | undefined;

  constructor(limit: number) {
    this.#freeSlots = limit;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#freeSlots > 0) this.#freeSlots -= 1;
    else await this.#waitForTurn();
    try {
      return await work();
    } finally {
      const next = this.#firstWaiting;
      if (next === undefined) this.#freeSlots += 1;
      else {
        this.#firstWaiting = next.next;
        next.begin();
      }
    }
  }

  #waitForTurn(): Promise<void> {
    return new Promise((begin) => {
      const waitingTask: WaitingTask = { begin, next: undefined };
      if (this.#firstWaiting === undefined) this.#firstWaiting = waitingTask;
      else if (this.#lastWaiting !== undefined) this.#lastWaiting.next = waitingTask;
      this.#lastWaiting = waitingTask;
    });
  }
}
