import type { MailQueue } from '../mail/plugin-mails/mail-queue.js';
import type { Metric } from './metric.js';

/** A function that returns the queue of plugins' mails. */
export type MailSource = () => Pick<MailQueue, 'countWaiting' | 'results'>;

export function mailMetrics(mails: MailSource): readonly Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'keyhost_plugin_mails_waiting',
      help: 'Number of mails of a plugin that wait on this node or are being sent',
      labels: ['plugin'],
      values: () => [...mails().countWaiting()].map(([plugin, count]) => [{ plugin }, count]),
    },
    {
      kind: 'counter',
      name: 'keyhost_plugin_mails_total',
      help: 'Number of mails of a plugin by outcome: sent, refused by the mail server, or expired',
      labels: ['plugin', 'end'],
      values: () => [...mails().results.values()].map(({ plugin, result: end, count }) => [{ plugin, end }, count]),
    },
  ];
}
