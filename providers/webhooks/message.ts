import { createHash } from 'node:crypto';
import type { AdminEvent, Event } from '@keyhost/spi';

/** An event to send, with its lane. */
export interface Message {
  /** `webhook-id`: the same for every attempt and every endpoint. */
  readonly id: string;
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Messages of one lane are sent in order. */
  readonly lane: string;
  body(): string;
}

/** The maximum length of a body with the representation, in characters. Longer ones omit it. */
const LONGEST_BODY = 256 * 1024;

/**
 * The message for a user event, of a type such as `access.LOGIN`. Messages of one user are sent in order; those without
 * a user have a lane each.
 */
export function userMessage(event: Event): Message {
  const type = `access.${event.type}`;
  return {
    id: event.id,
    type,
    time: event.time,
    lane: laneOf(event.userId === undefined ? `event ${event.id}` : `users/${event.userId}`),
    body: () => bodyOf(type, event.time, event),
  };
}

/**
 * The message for an admin event, of a type such as `admin.USER-CREATE`. Messages of one object are sent in order; a
 * user's admin events share the lane of the user's own events.
 */
export function adminMessage(event: AdminEvent): Message {
  const type = `admin.${event.resourceType}-${event.operationType}`;
  return {
    id: event.id,
    type,
    time: event.time,
    lane: laneOf(event.resourcePath.split('/').slice(0, 2).join('/')),
    body: () => {
      const whole = bodyOf(type, event.time, event);
      if (whole.length <= LONGEST_BODY) return whole;
      const { representation: _, ...rest } = event;
      return bodyOf(type, event.time, { ...rest, representationOmitted: true });
    },
  };
}

/** A message with which an operator tests the delivery. */
export function testMessage(id: string, time: number, data: object): Message {
  const type = 'webhooks.TEST';
  return { id, type, time, lane: laneOf(`event ${id}`), body: () => bodyOf(type, time, data) };
}

/** The payload that Standard Webhooks recommends. */
function bodyOf(type: string, time: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(time).toISOString(), data });
}

/** A short text that is valid in a key, since user IDs may contain anything. */
function laneOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}
