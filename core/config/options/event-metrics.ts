import { EVENT_TYPES } from '../../model/event-types.js';
import { didYouMean } from '../did-you-mean.js';
import type { OptionReader } from './option-reader.js';

/**
 * The tags of user events on `/metrics` that an operator can select, as in Keycloak. Type and error are always tags.
 */
export const EVENT_TAGS = ['realm', 'idp', 'clientId'] as const;
export type EventTag = (typeof EVENT_TAGS)[number];

const TAGS = 'event-metrics-user-tags';
const EVENTS = 'event-metrics-user-events';

/** Reads the options that select the user events on `/metrics` and their tags. */
export function readEventMetrics({ text, complaintAbout }: OptionReader) {
  const tags = readNameList(text(TAGS), EVENT_TAGS, complaintAbout(TAGS)) as EventTag[] | undefined;
  const names = EVENT_TYPES.map((type) => type.toLowerCase());
  const events = readNameList(text(EVENTS), names, complaintAbout(EVENTS));
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
