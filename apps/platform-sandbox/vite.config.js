import config from '@gondola/web-kit/build/page-config';

export default config;
