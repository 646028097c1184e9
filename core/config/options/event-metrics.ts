import { EVENT_TYPES } from '../../model/event-types.js';
import { didYouMean } from '../did-you-mean.js';
import type { OptionReader } from './option-reader.js';

/**
 * The tags of user events on `/metrics`, in addition to type and error: the values of Keycloak's
 * `event-metrics-user-tags`.
 */
export const EVENT_TAGS = ['realm', 'idp', 'clientId'] as const;
export type EventTag = (typeof EVENT_TAGS)[number];

const TAGS = 'event-metrics-user-tags';
const EVENTS = 'event-metrics-user-events';

/** Reads which user events `/metrics` counts, and with which tags. */
export function readEventMetrics({ text, complaint }: OptionReader) {
  const tags = readNameList(text(TAGS), EVENT_TAGS, complaint(TAGS)) as EventTag[] | undefined;
  const names = EVENT_TYPES.map((type) => type.toLowerCase());
  const events = readNameList(text(EVENTS), names, complaint(EVENTS));
  return {
    eventMetricsUserTags: tags,
    eventMetricsUserEvents: events?.map((name) => name.toUpperCase()),
  };
}

/** @returns undefined if the list is empty */
function readNameList(list: string | undefined, knownNames: readonly string[], complain: (message: string) => void) {
  const names = (list ?? '').split(',').flatMap((name) => name.trim() || []);
  for (const name of names) {
    if (knownNames.includes(name)) continue;
    const suggestion = didYouMean(name, knownNames);
    complain(`unknown name "${name}"${suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`}`);
  }
  return names.length === 0 ? undefined : names;
}
