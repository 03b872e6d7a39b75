export default {
  stories: ["../stories/*.mdx", "../stories/*.stories.jsx"],
  framework: "@storybook/react-vite",
  core: { disableTelemetry: true },
};
