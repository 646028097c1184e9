import { HostError, type Session } from '@keyhost/spi';

/** The number of invitations that one user may have mailed within a day. */
export const MAILS_A_DAY = 100;
/** In seconds. */
const DAY_S = 24 * 60 * 60;

/**
 * Counts the mails that a user has sent, across all organizations. Otherwise a user who may create organizations could
 * mail any address without limit.
 */
export class InvitationLimit {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** @throws HostError `too_many_invitations` (429) */
  async take(userId: string): Promise<void> {
    const { store, clock } = this.#session;
    const key = keyOf(userId);
    for (;;) {
      const before = (await store.get(key)) as Counted | undefined;
      const until = before?.until ?? clock.now() + DAY_S * 1000;
      const mails = (before?.mails ?? 0) + 1;
      if (mails > MAILS_A_DAY) throw limitError(Math.max(1, Math.ceil((until - clock.now()) / 60_000)));
      const expiresIn = Math.max(1, Math.ceil((until - clock.now()) / 1000));
      if (await store.replace(key, before, { mails, until }, { expiresIn })) return;
    }
  }

  /** Uncounts a mail that was not sent. */
  async giveBack(userId: string): Promise<void> {
    const { store, clock } = this.#session;
    for (;;) {
      const before = (await store.get(keyOf(userId))) as Counted | undefined;
      if (before === undefined || before.mails === 0) return;
      const expiresIn = Math.max(1, Math.ceil((before.until - clock.now()) / 1000));
      if (await store.replace(keyOf(userId), before, { ...before, mails: before.mails - 1 }, { expiresIn })) return;
    }
  }
}

type Counted = {
  readonly mails: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
};

const keyOf = (userId: string) => `invitation-mails/${userId}`;

const limitError = (minutes: number) =>
  new HostError(
    'too_many_invitations',
    `You have sent ${MAILS_A_DAY} invitations within a day. Send more in ${minutes} minutes.`,
    { status: 429, expose: true },
  );
