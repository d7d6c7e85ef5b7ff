/** Draws the plots of the results page as SVG. */
import type { EChartsCoreOption } from 'echarts/core';
import { init, use } from 'echarts/core';
import { LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';
import { fitLine } from './harness/statistics.ts';
import type { CoreRate, RegionCost } from './scenario.ts';

use([LineChart, ScatterChart, GridComponent, LegendComponent, SVGRenderer]);

const size = { width: 720, height: 400 };
const formats = ['jpeg', 'png'] as const;
/** Colours that people with a colour vision deficiency can tell apart (Okabe and Ito). */
const colors = { jpeg: '#0072b2', png: '#d55e00' } as const;

/** CPU time of a render over the size of the changed region, with the fitted lines. */
export function plotRegionCosts(costs: readonly RegionCost[]): string {
  const series = formats.flatMap((format) => {
    const points = costs
      .filter((each) => each.format === format)
      .map(({ share, cpuMs }) => ({ x: share, y: cpuMs }));
    const { slope, intercept } = fitLine(points);
    const ends = [points[0], points.at(-1)].flatMap((point) =>
      point === undefined ? [] : [point.x],
    );
    const name = format.toUpperCase();
    const line = ends.map((x) => [x, intercept + slope * x]);
    return [
      scatter(
        name,
        points.map(({ x, y }) => [x, y]),
        colors[format],
      ),
      { ...lineSeries(`${name}, fitted line`, line, colors[format]), showSymbol: false },
    ];
  });
  return plot({
    xAxis: valueAxis('changed pixels, % of the canvas'),
    yAxis: valueAxis('CPU time of a render, ms'),
    series,
  });
}

/** Throughput over the number of cores. */
export function plotCoreRates(rates: readonly CoreRate[]): string {
  const series = formats.map((format) => {
    const points = rates.filter((each) => each.format === format);
    const line = points.map(({ cores, perSecond }) => [cores, perSecond]);
    return lineSeries(format.toUpperCase(), line, colors[format]);
  });
  const max = Math.max(1, ...rates.map(({ cores }) => cores));
  return plot({
    xAxis: { ...valueAxis('cores, with as many render threads'), max, minInterval: 1 },
    yAxis: valueAxis('images a second'),
    series,
  });
}

function plot(option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...size });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    grid: { left: 60, right: 30, top: 50, bottom: 60 },
    legend: { top: 10, itemGap: 30 },
    ...option,
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

function valueAxis(name: string): object {
  return { type: 'value', min: 0, name, nameLocation: 'middle', nameGap: 34 };
}

function scatter(name: string, data: number[][], color: string): object {
  return { type: 'scatter', name, data, symbolSize: 6, itemStyle: { color } };
}

function lineSeries(name: string, data: number[][], color: string): object {
  return {
    type: 'line',
    name,
    data,
    symbolSize: 8,
    itemStyle: { color },
    lineStyle: { color },
  };
}
