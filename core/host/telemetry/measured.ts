import type { Meter } from '@opentelemetry/api';
import type { Figure } from '../figure.js';

/** The host's figures as instruments that are read whenever they are sent. */
export function measured(meter: Meter, figures: readonly Figure[]): void {
  for (const { kind, name, help, values } of figures) {
    const instrument =
      kind === 'counter'
        ? meter.createObservableCounter(name.replace(/_total$/, ''), { description: help })
        : meter.createObservableGauge(name, { description: help });
    instrument.addCallback((result) => {
      for (const [labels, value] of values()) result.observe(value, labels);
    });
  }
}
