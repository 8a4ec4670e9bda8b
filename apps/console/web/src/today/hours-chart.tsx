import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import UPlot from 'uplot';
import type { Hour } from './hours.ts';
import styles from './today.module.css';

const HEIGHT = 150;
const HALF_AN_HOUR_S = 1_800;
const FONT = '12px system-ui, sans-serif';
const bars = UPlot.paths.bars?.({ size: [0.7, 40] });

interface Drawn {
  hours: readonly Hour[];
  /** Meaning of the picture, for those who do not see it. */
  sentence: string;
}

/** Webhooks by hour as bars, and in front of them those that came twice. Drawn anew for another width or theme. */
export default function HoursChart({ hours, sentence }: Drawn): ReactNode {
  const { i18n } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = place.current!;
    let plot: UPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new UPlot(optionsOf(target, i18n.language), dataOf(hours), target);
    };
    // Tells the first size, too.
    const resized = new ResizeObserver(draw);
    resized.observe(target);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      theme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [hours, i18n.language]);
  return <div ref={place} className={styles['chart']} role="img" aria-label={sentence} />;
}

function dataOf(hours: readonly Hour[]): UPlot.AlignedData {
  return [
    hours.map(({ begin }) => begin.getTime() / 1_000),
    hours.map(({ arrived }) => arrived),
    hours.map(({ repeated }) => repeated),
  ];
}

function barsOf(fill: string): UPlot.Series {
  return { fill, stroke: fill, width: 0, points: { show: false }, ...(bars !== undefined && { paths: bars }) };
}

function optionsOf(target: HTMLElement, language: string): UPlot.Options {
  const computed = getComputedStyle(target);
  const colour = (name: string) => computed.getPropertyValue(name).trim();
  const axis = { stroke: colour('--muted'), font: FONT, ticks: { show: false } };
  const hourOf = (seconds: number) => new Date(seconds * 1_000).toLocaleTimeString(language, { hour: 'numeric' });
  return {
    width: target.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // The first and the last bar are whole.
      x: { time: true, range: (_plot, first, last) => [first - HALF_AN_HOUR_S, last + HALF_AN_HOUR_S] },
      y: { range: (_plot, _least, most) => [0, Math.max(most * 1.15, 4)] },
    },
    series: [{}, barsOf(colour('--accent')), barsOf(colour('--attention'))],
    axes: [
      { ...axis, size: 28, grid: { show: false }, values: (_plot, splits) => splits.map(hourOf) },
      {
        ...axis,
        size: 44,
        grid: { stroke: colour('--line'), width: 1 },
        incrs: [1, 2, 5, 10, 20, 50, 100, 500, 1_000, 5_000, 10_000],
      },
    ],
  };
}
