/** Starts the Chromium in which pages are measured and recorded. */
import { chromium } from 'playwright-core';

export const startBrowser = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
