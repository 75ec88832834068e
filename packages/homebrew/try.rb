# Runs a formula without Homebrew: its methods are replaced by the few lines that the formula needs of them, and the
# program is a binary that exists instead of one that cargo builds.
#
#   ruby try.rb FORMULA.rb BINARY PREFIX
require "digest"
require "fileutils"
require "pathname"
require "tmpdir"

formula, binary, prefix = ARGV.map { |name| Pathname(File.expand_path(name)) }
PROGRAM = binary

class Place < Pathname
  def install(*files)
    mkpath
    files.flatten.each { |file| FileUtils.cp(file.to_s, to_s) }
  end

  def /(name) = Place.new(super)
end

class Formula
  FACTS = {}
  %i[desc homepage url sha256 license depends_on].each do |name|
    define_singleton_method(name) { |given| FACTS[name] = given }
  end
  def self.test(&steps) = define_method(:try, &steps)

  attr_reader :prefix, :buildpath, :testpath

  def initialize(prefix, build, test) = (@prefix, @buildpath, @testpath = Place.new(prefix), Place.new(build), Place.new(test))
  def bin = prefix/"bin"
  def man1 = prefix/"share/man/man1"
  def std_cargo_args = ["--locked", "--root=#{prefix}", "--path=."]

  def system(command, *given)
    return bin.install(PROGRAM) if command == "cargo" && given.include?("--root=#{prefix}")

    Kernel.system(command.to_s, *given.map(&:to_s)) || raise("#{command} #{given.join(" ")} fails")
  end

  def generate_completions_from_executable(program, word)
    %w[bash zsh fish].each do |shell|
      text = IO.popen([program.to_s, word, shell], &:read)
      raise "no completions for #{shell}" if text.empty?
    end
  end

  def assert_match(text, given) = given.include?(text) || raise("no #{text} in #{given}")
end

load formula.to_s
Dir.mktmpdir do |build|
  Dir.mktmpdir do |test|
    made = Transfeed.new(prefix, build, test)
    Dir.chdir(build) { made.install }
    raise "no manual pages" if Dir["#{prefix}/share/man/man1/*.1"].empty?

    Dir.chdir(test) { made.try }
  end
end
source = formula.dirname/File.basename(Formula::FACTS.fetch(:url))
raise "the checksum is not that of #{source}" if Digest::SHA256.file(source).hexdigest != Formula::FACTS.fetch(:sha256)

puts "#{formula.basename}: installed and tried in #{prefix}"
