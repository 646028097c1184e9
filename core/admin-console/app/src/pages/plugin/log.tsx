import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type LogLine, pluginLog } from '../../api/plugin-log.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { CheckField } from '../../parts/field.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { texts } from './texts.ts';

const TONES: Readonly<Record<LogLine['level'], Tone>> = {
  debug: 'neutral',
  info: 'neutral',
  warn: 'warning',
  error: 'bad',
};
const TROUBLE_LEVELS: readonly LogLine['level'][] = ['warn', 'error'];

/** The plugin's log messages, newest first, with live updates. */
export function Log({ module }: { module: string }) {
  const strings = useTexts(texts);
  const [isFollowed, setFollowed] = useState(true);
  const [showsTroubles, setShowsTroubles] = useState(false);
  const query = useQuery(pluginLog(module, isFollowed));
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{strings.log}</h2>
      <p className="help section-lead">{strings.logLead}</p>
      <div className="log-choices">
        <CheckField label={strings.follow} isOn={isFollowed} onTurn={setFollowed} />
        <CheckField label={strings.troubles} isOn={showsTroubles} onTurn={setShowsTroubles} />
      </div>
      <QueryResult query={query}>
        {(all) => {
          const lines = showsTroubles ? all.filter(({ level }) => TROUBLE_LEVELS.includes(level)) : all;
          return lines.length === 0 ? (
            <p className="nothing">{all.length === 0 ? strings.noLines : strings.noTroubles}</p>
          ) : (
            <Lines lines={lines} label={strings.log} />
          );
        }}
      </QueryResult>
    </section>
  );
}

/** The lines in a box that can also be scrolled by keyboard. */
function Lines({ lines, label }: { lines: readonly LogLine[]; label: string }) {
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium', dateStyle: 'short' });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse could not scroll the box otherwise
    <ol className="log-lines" aria-label={label} tabIndex={0}>
      {lines.map(({ number, time, level, message, fields, times, node }) => (
        <li key={`${node} ${number}`}>
          <p className="log-line">
            <time dateTime={time}>{clock.format(new Date(time))}</time>
            <Badge tone={TONES[level]}>{strings.levels[level]}</Badge>
            {node !== undefined && <small>{node}</small>}
            {times > 1 && <small>{strings.times(times)}</small>}
          </p>
          <p className="log-message">{message}</p>
          {fields !== undefined && <code>{fields}</code>}
        </li>
      ))}
    </ol>
  );
}
