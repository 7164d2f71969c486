/** The endpoints that read and change the configuration. */

import { z } from 'zod';
import { CONFIG_NAMES } from '../../formats/config/config.ts';
import { configBody, configName, configView } from '../http-protocol.ts';
import { changeSetting, offering, viewSetting } from '../project-settings.ts';
import type { ApiContext } from './api-context.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

export const settingsEndpoints = ({ project, plugins, choices }: ApiContext): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/api/config',
    about: 'The five configuration files.',
    answer: z.array(configView),
    serve: ({ language }) =>
      Promise.all(
        CONFIG_NAMES.map(async name =>
          offering(await viewSetting(project, name, plugins, language), choices),
        ),
      ),
  }),
  endpoint({
    method: 'get',
    path: '/api/config/:name',
    about: 'One configuration file with schema, defaults and help.',
    params: z.strictObject({ name: configName }),
    answer: configView,
    async serve({ params, language }) {
      return offering(await viewSetting(project, params.name, plugins, language), choices);
    },
  }),
  endpoint({
    method: 'put',
    path: '/api/config/:name',
    about:
      'Replaces one configuration file. If a value is invalid, reports the errors by field and writes nothing.',
    params: z.strictObject({ name: configName }),
    body: configBody,
    answer: configView,
    async serve({ params, body }) {
      const changed = await changeSetting(project, params.name, body.value, body.confirm, plugins);
      return offering(changed, choices);
    },
  }),
];
