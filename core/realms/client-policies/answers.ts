/** Thrown if a plugin has not answered yet, and the work must not wait for it. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** The answers of plugins within one request: each question is asked once. */
export class PluginAnswers {
  readonly #answers = new Map<string, Promise<unknown>>();
  #isSynchronous = false;

  /** Runs work that must not wait for a plugin, with the answers that exist. @throws Unanswered if one is missing */
  async withoutWaiting<T>(run: () => T | Promise<T>): Promise<T> {
    this.#isSynchronous = true;
    try {
      return await run();
    } finally {
      this.#isSynchronous = false;
    }
  }

  /**
   * Returns the answer to a question, which is only asked once.
   * @param question everything that the answer depends on
   * @throws Unanswered within `withoutWaiting`, if it was not asked yet
   */
  getOrAsk<T>(question: readonly unknown[], ask: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(question);
    let answer = this.#answers.get(key) as Promise<T> | undefined;
    if (answer === undefined) {
      if (this.#isSynchronous) throw new Unanswered('No plugin has been asked yet');
      answer = ask();
      this.#answers.set(key, answer);
    }
    return answer;
  }
}
